// Splits a stream of text at line feeds alone. Readline of Node also splits at U+2028 and U+2029, which a line of JSON may hold as they are.

/** Each line without its break, also the last one if it has none. A carriage return stays, which is white space to JSON. */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const chunk of chunks) {
    const [rest = "", ...lines] = chunk.split("\n");
    begun.push(rest);
    for (const line of lines) {
      yield begun.join("");
      begun = [line];
    }
  }
  const last = begun.join("");
  if (last !== "") yield last;
}
