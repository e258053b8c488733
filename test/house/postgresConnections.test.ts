// pg emits an error event where the server ends a connection, also while it closes or is idle. Without a listener the event ends the
// process: a gateway, or a whole test run.
import { expect, it } from "vitest";
import { sourcesIn } from "./sources.ts";

const imported = /import \{[^}]*(?<!type )\b(?:Client|Pool)\b[^}]*\} from "pg"/;

it("Each file that connects to PostgreSQL listens for the errors of its connections", () => {
  const connecting = ["src", "test", "bench", "scripts"]
    .flatMap(sourcesIn)
    .filter(
      ({ text }) => imported.test(text) && /new (?:Client|Pool)\(/.test(text) && /\.(?:connect|query)\(/.test(text),
    );
  expect(connecting.map(({ path }) => path)).toContain("src/store/postgres/postgres.ts");
  const deaf = connecting.filter(({ text }) => !text.includes('.on("error"'));
  expect(deaf.map(({ path }) => path)).toEqual([]);
});
