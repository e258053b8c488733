// Values that no call has. A filter by one of them shows whether the service applies the filter at all.

/** Not a number in any country. */
export const UNUSED_NUMBER = "10000900009";
export const UNUSED_ID = "999999999999999";
