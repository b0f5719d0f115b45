// The height in a lying tank by bisection, and a search in a sorted table. Compiled by
// `zig build-exe tank.zig -target wasm32-freestanding -mcpu mvp -fno-entry -rdynamic -OReleaseSafe -fstrip`.
const table = [_]f32{ 0.25, 1.0, 3.5, 9.0, 27.5 };

export fn level(volume: f64, radius: f64) f64 {
    if (!(volume >= 0) or !(radius > 0)) return -1;
    var lo: f64 = 0;
    var hi: f64 = 2 * radius;
    var n: u32 = 0;
    while (n < 60) : (n += 1) {
        const h = lo + (hi - lo) / 2;
        if (h == lo or h == hi) break;
        if (h * h * (3 * radius - h) < volume) lo = h else hi = h;
    }
    return lo;
}

export fn place(x: f32) i32 {
    var i: i32 = 0;
    for (table) |t| {
        if (x == t) return i;
        if (x < t) return -i - 1;
        i += 1;
    }
    return 100;
}
