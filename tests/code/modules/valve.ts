// A valve that opens by pressure, with hysteresis, and a share. Compiled by `asc valve.ts -o valve.wasm -O1 --runtime stub`.
export function valve(pressure: f64, open: bool): i32 {
  if (isNaN(pressure)) return 0;
  if (open) return pressure > 4.25 ? 1 : 0;
  return pressure >= 5.75 ? 1 : 0;
}

export function share(total: i32, parts: u32): i32 {
  assert(parts != 12345);
  return total / <i32>(parts - 7);
}
