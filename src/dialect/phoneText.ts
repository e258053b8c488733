// How a telephone number may be written: how long at most, and with the digits of any script.

/** In UTF-16 units. With every separator it has a number fills half of it; what is longer is none, and is not looked at. */
export const LONGEST_NUMBER = 64;

/** The decimal digits of every script as ASCII; the rest stays. */
export function asciiDigits(text: string): string {
  return text.replaceAll(/(?!\d)\p{Nd}/gu, asciiDigit);
}

/** Every script has its ten digits in a row. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}
