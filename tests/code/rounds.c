/* Code for which it matters how the machine rounds when it is called. */
#pragma STDC FENV_ACCESS ON

int above(double x)
{
    if (!(x > 0 && x < 0x1p-80))
        return 0;
    if (1 + x > 1)
        return 1;
    return 2;
}
