// The manifest of the console's operations, dist/documents.json: an operator names it in TRUSTED_DOCUMENTS. Its texts are those
// that the page sends, character for character.
import { createHash } from "node:crypto";
import { catchUpDocument } from "../../client/src/streams/catchUp.ts";
import { createTaskDocument } from "../../client/src/tasks/createTask.ts";

/** The client asks these by itself, for a live list and for a new task. */
const CLIENT_DOCUMENTS = [catchUpDocument, createTaskDocument];

/** SHA-256 → document. */
export async function consoleManifest() {
  const generated = await import("../src/gql/graphql.ts");
  const texts = Object.values(generated)
    .filter((each) => each instanceof generated.TypedDocumentString)
    .map(String)
    // Fragments stand in the operations that use them.
    .filter((text) => /^\s*(query|mutation|subscription)\b/.test(text));
  const all = [...texts, ...CLIENT_DOCUMENTS];
  return Object.fromEntries(all.map((text) => [createHash("sha256").update(text).digest("hex"), text]));
}
