// Objects with virtual functions, and pointers to functions.
struct Point {
    float x, y;
};

class Shape {
public:
    virtual ~Shape() {}
    virtual int corners() const = 0;
    virtual float area(const Point &at, float scale) const = 0;
    int kind;
};

class Box : public Shape {
public:
    int corners() const override { return 4; }
    float area(const Point &, float scale) const override { return width * scale; }
    virtual bool is_solid(int at) { return at > 0; }
    float width;
};

int kind_of(const Shape *shape, const Point &at)
{
    if (shape->corners() > 3)
        return 1;
    if (shape->area(at, 2.0f) < 0)
        return 2;
    return shape->kind == 7 ? 3 : 0;
}

int solid(Box *box)
{
    if (box->is_solid(3))
        return box->corners() == 9 ? 5 : 6;
    return box->width > 2 ? 7 : 8;
}

double twice(double (*f)(double), double x) { return f(x) > 2 ? f(f(x)) : 0; }

int last_one(const Shape *const *all)
{
    if (all[0]->corners() == 4)
        return 1;
    return 2;
}
