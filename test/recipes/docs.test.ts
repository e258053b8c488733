import { expect, it } from "vitest";
import { textAt } from "../house/sources.ts";

it("docs/live-events.md shows the graphql-ws recipe as the tests run it", () => {
  const blocks = [...textAt("docs/live-events.md").matchAll(/```ts\n(.*?)```/gs)].map(([, block]) => block);
  expect(blocks).toContain(textAt("examples/recipes/graphqlWs.ts"));
});
