//! Elementary functions over binary64 intervals.
