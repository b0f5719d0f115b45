// Functions of C++ as people write them: what each computes is read as a formula, and compared with what it returns.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

constexpr double g0 = 9.81;
static const auto half = 0.5;
using real = double;

namespace air {
inline constexpr double R = 287.05;
constexpr int order = 4;

[[nodiscard]] inline double density(double p, double T) noexcept { return std::fabs(p) / (R * std::abs(T)); }

double flow(const double dp, const double &p, double T) {
    const auto beta = 0.6;
    const double rho{density(p, T)};
    auto root = std::sqrt(2 * rho * std::abs(dp) / (1 - std::pow(beta, order)));
    return 0.98 * 0.00196 * root;
}

namespace inner {
constexpr double R = 2;
double scaled(double x) { return R * x + air::R + ::g0; }
}

inline namespace v1 {
double latest(double x) { return inner::scaled(x) - R; }
}
}

namespace {
double hidden(double x) { return x * x + half; }
}

namespace a::b {
double nested(double x) { return hidden(x) / 3.0; }
}

template <typename T>
constexpr T square(T x) {
    return x * x;
}

template <class T, class U = double>
T blend(T a, U b) {
    T t = T(0.25);
    return std::lerp(a, b, t) + T{2} * t;
}

double energy(double m, double v) { return square(v) * m * half + square<double>(3); }
auto trailing(double x) -> double { return std::exp(-x * x); }
auto deduced(double x) {
    const auto y = x < 0 ? -x : x;
    return std::log1p(y);
}
double uses_deduced(double x) { return deduced(x) / 2 + trailing(x); }

double casts(double x) {
    const int n = 3;
    return static_cast<double>(n) / 2 + double(n) / 4 * x + real(1) / 8 + (double)n / 5 + float(2) / 4;
}

double power(double x, int n) {
    if (n > 2) return x * x * x / n;
    return std::pow(x, n);
}
double powers(double x) { return power(x, 2) + power(x, 1 + 2); }

double extremes(double a, double b, double c) {
    return std::max({a, b, c}) - std::min(a, b) + std::clamp(c, -1.0, 1.0) + std::max<double>(a, 1);
}

double digits(double x) { return 1'000.5 * x + 2.5e-1f + 0x1p-3; }

double guarded(double x) {
    using std::log;
    if (x <= 0) throw std::domain_error("x");
    if (!(x < 100)) return std::numeric_limits<double>::quiet_NaN();
    return log(x);
}

double chosen(double x) {
    using namespace std;
    double y(0.5);
    if (x > 0 && x < 2) {
        y += sin(x);
    } else if (x >= 2)
        y = cos(x);
    return y;
}

double classified(double x) { return std::isnan(x) || std::isinf(x) ? 0.0 : std::hypot(x, 1.0); }

double wide(long double x, double y) { return std::fma(x, y, 1.0L); }

double circle(double r) { return std::numbers::pi * r * r + std::numbers::sqrt2_v<double>; }
