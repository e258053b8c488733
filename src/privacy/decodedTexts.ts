// What a text says once what a program escaped in it is read: of JSON, URLs and forms, HTML and XML. Nothing says which of
// them a text is, so all are tried, and the text as it came stays the first reading.

/** A URL within a URL within JSON; deeper than that nobody writes a number. */
const DEEPEST = 3;
const ESCAPED = /[%\\&+]/;

export function decodedTextsOf(text: string): string[] {
  const readings = [text];
  let last = text;
  for (let depth = 0; depth < DEEPEST && ESCAPED.test(last); depth += 1) {
    const next = unescaped(last);
    if (next === last) break;
    readings.push(next);
    last = next;
  }
  // Each tag a blank: what is written in tags themselves was read above.
  const shown = last.replaceAll(/(?:<[^<>]*>\s*){1,100}/g, " ");
  return shown === last ? readings : [...readings, shown];
}

/** By one level. Patterns have bounds, so that none of them can outgrow its stack. */
function unescaped(text: string): string {
  return text
    .replaceAll(/(?<=\d)\+(?=\d)/g, " ")
    .replaceAll(/\\(?:u([0-9a-f]{4})|[bfnrt]|([\\"/]))/gi, (_, code?: string, mark?: string) =>
      code ? character(Number.parseInt(code, 16)) : (mark ?? " "),
    )
    .replaceAll(
      /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z\d]{2,8}));/gi,
      (_, code?: string, hex?: string, name?: string) =>
        name ? (NAMED[name.toLowerCase()] ?? " ") : character(hex ? Number.parseInt(hex, 16) : Number(code)),
    )
    .replaceAll(/(?:%[0-9a-f]{2}){1,1000}/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString());
}

/** The others are blanks, dashes and other signs. */
const NAMED: Record<string, string> = { lt: "<", gt: ">", amp: "&", plus: "+" };

const character = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : "");
