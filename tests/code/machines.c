/* Controllers: a thermostat with hysteresis, a gear box, a limited integral, a frame of bytes. */
#include <math.h>

int thermostat(int state, float celsius, unsigned flags)
{
    enum { off, heating, cooling, fault };
    if (flags & 0x80000000u || celsius != celsius)
        return fault;
    if (celsius < -40 || celsius > 125)
        return fault;
    switch (state) {
    case off:
        if (celsius < 18.5f && (flags & 1))
            return heating;
        if (celsius > 26 && (flags & 2))
            return cooling;
        return off;
    case heating: return celsius >= 21 ? off : heating;
    case cooling: return celsius <= 24 ? off : cooling;
    case fault: return flags == 0xdead ? off : fault;
    default: return -1;
    }
}

int gear(int now, unsigned rpm, float throttle)
{
    if (now < 1 || now > 6)
        return 0;
    if (!(throttle >= 0 && throttle <= 1))
        return 0;
    if (rpm > 6200 && now < 6)
        return now + 1;
    if (rpm < 900)
        return now > 1 ? now - 1 : 1;
    if (throttle > 0.95f && rpm < 2500 && now > 2)
        return now - 2;
    if (throttle == 0.5f && rpm == 3000)
        return 7;
    return now;
}

double integral(double error, double sum, double dt)
{
    if (!(dt > 0) || dt > 1)
        return sum;
    double next = sum + error * dt;
    if (next > 100)
        return 100;
    if (next < -100)
        return -100;
    if (error * sum < 0 && fabs(error) > 10)
        return 0;
    if (next == sum && error != 0)
        return sum / 2;
    return next;
}

int frame(const unsigned char *bytes)
{
    if (bytes[0] != 0x7e)
        return -1;
    if (bytes[1] == 0 || bytes[1] > 2)
        return -2;
    unsigned char sum = 0;
    for (int i = 0; i < bytes[1]; i++)
        sum += bytes[2 + i];
    if (bytes[2 + bytes[1]] != sum)
        return -3;
    return bytes[1] == 2 && bytes[2] == 0xff ? 1 : 0;
}
