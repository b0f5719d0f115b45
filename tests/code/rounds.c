/* Code for which it matters how the machine rounds when it is called. */
#pragma STDC FENV_ACCESS ON

int above(double x)
{
    if (!(x > 1 && x < 2))
        return 0;
    return x + 0x1p-80 > x ? 1 : 2;
}
