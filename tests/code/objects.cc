// Functions of C++ that take and return what is no number.
#include <stdexcept>

namespace plane {

class vector {
public:
    vector(double x, double y) : x(x), y(y)
    {
        if (x < 0)
            this->x = 0;
    }
    double dot(const vector &other) const { return x * other.x > 5 ? y * other.y : 0; }

private:
    double x, y;
};

double size(double x) { return x < 0 ? -x : x; }
int size(int n) { return n > 1000 ? 1000 : n; }

int bounded(double &x, const int &n)
{
    if (n > 3)
        x = n;
    if (x == 2.5)
        return 1;
    return 0;
}

}

// Whether the second comparison can be true is decided by what is caught.
int caught(double x)
{
    int kind = 0;
    try {
        if (x > 1)
            throw 1;
    } catch (int thrown) {
        kind = thrown;
    }
    if (kind == 1)
        return 7;
    return kind;
}

double checked(double x)
{
    if (!(x > 0))
        throw std::domain_error("x");
    return x > 4 ? 2 : 1;
}
