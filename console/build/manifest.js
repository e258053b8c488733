// The manifest of the console's operations, dist/documents.json: an operator names it in TRUSTED_DOCUMENTS. Its texts are those
// that the page sends, character for character.
import { createHash } from "node:crypto";

/** SHA-256 → document. */
export async function consoleManifest() {
  const generated = await import("../src/gql/graphql.ts");
  const texts = Object.values(generated)
    .filter((each) => each instanceof generated.TypedDocumentString)
    .map(String)
    // Fragments stand in the operations that use them.
    .filter((text) => /^\s*(query|mutation|subscription)\b/.test(text));
  return Object.fromEntries(texts.map((text) => [createHash("sha256").update(text).digest("hex"), text]));
}
