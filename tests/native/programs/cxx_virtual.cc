// Virtual calls: thunks, covariant results, virtual bases, what a constructor sees of the object it is a part of.
#include <cstdio>
#include <typeinfo>

struct Shape {
  Shape() { report("Shape()"); }
  virtual ~Shape() { report("~Shape()"); }
  virtual double area() const { return 0; }
  virtual Shape* twin() const { return new Shape(*this); }
  virtual const char* kind() const { return "shape"; }
  void report(const char* where) const { std::printf("%s is a %s\n", where, kind()); }
};
struct Named {
  virtual ~Named() { std::printf("~Named %s\n", name); }
  virtual const char* label() const { return name; }
  virtual Named* twin_named() const = 0;
  const char* name = "unnamed";
  long padding[3] = {1, 2, 3};
};
struct Square : Shape, Named {
  explicit Square(double s) : side(s) { report("Square()"); name = "square"; }
  ~Square() override { report("~Square()"); }
  double area() const override { return side * side; }
  Square* twin() const override { return new Square(side + 1); }
  Square* twin_named() const override { return new Square(side * 2); }
  const char* kind() const override { return "square"; }
  const char* label() const override { return kind(); }
  double side;
};
struct Root { int r = 10; Root() { std::printf("Root\n"); } Root(int v) : r(v) { std::printf("Root %d\n", v); } virtual ~Root() { std::printf("~Root %d\n", r); } virtual int id() { return 0; } };
struct Left : virtual Root { int l = 1; Left() : Root(1) { std::printf("Left id %d\n", id()); } ~Left() { std::printf("~Left id %d\n", id()); } int id() override { return 1; } };
struct Right : virtual Root { int m = 2; Right() : Root(2) { std::printf("Right id %d\n", id()); } ~Right() { std::printf("~Right id %d\n", id()); } int id() override { return 2; } };
struct Bottom : Left, Right { int b = 3; Bottom() : Root(3) { std::printf("Bottom id %d\n", id()); } ~Bottom() { std::printf("~Bottom\n"); } int id() override { return l * 100 + m * 10 + b; } };
struct Lower : Bottom { Lower() : Root(4) {} int id() override { return r; } };

int main() {
  Square s(3);
  Shape* shape = &s;
  Named* named = &s;
  std::printf("%g %s %s\n", shape->area(), shape->kind(), named->label());
  Shape* twin = shape->twin();
  std::printf("%g\n", twin->area());
  delete twin;
  Named* second = named->twin_named();
  std::printf("%s %ld %g\n", second->label(), second->padding[2], dynamic_cast<Square*>(second)->side);
  delete second;
  Lower lower;
  Root* root = &lower;
  Left* left = &lower;
  Right* right = &lower;
  std::printf("%d %d %d\n", root->id(), left->id(), right->id());
  std::printf("%d %d\n", static_cast<Root*>(left) == static_cast<Root*>(right), typeid(*root) == typeid(Lower));
  return static_cast<int>(shape->area());
}
