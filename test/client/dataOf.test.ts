// The type of a result, read from the operation's text. The compiler checks the types; here the gateway's graph accepts each text.
import { parse, validate } from "graphql";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { DataOf } from "../../client/src/dataOf.ts";
import type { SwitchboardClient } from "../../client/src/types.ts";
import { schema } from "../../src/schema/schema.ts";

const valid = <const Text extends string>(text: Text): Text => {
  expect(validate(schema, parse(text))).toEqual([]);
  return text;
};

describe("The result of a plain text", () => {
  it("has the selected fields, in lists and beside null", () => {
    const text = valid("{ callEndedEvents(first: 20, order: NEWEST_FIRST) { headCursor nodes { sessionId endAt } } }");
    expectTypeOf<DataOf<typeof text>>().toEqualTypeOf<{
      callEndedEvents: { headCursor: string; nodes: { sessionId: string; endAt: string | null }[] } | null;
    }>();
  });

  it("has other names, and those of several lines with variables and objects in arguments", () => {
    const text = valid(`
      query Calls($after: String, $phone: String!) {
        newest: callEndedEvents(after: $after, filter: { phone: $phone, taskIds: [7] }, first:2) {
          nodes{sessionId,last:duration assistants { assistantId }}
        }
        viewer { name, scopes, __typename }
      }`);
    expectTypeOf<DataOf<typeof text>>().toEqualTypeOf<{
      newest: {
        nodes: { sessionId: string; last: number | null; assistants: { assistantId: string }[] }[];
      } | null;
      viewer: { name: string; scopes: string[]; __typename: "Viewer" };
    }>();
  });

  it("is that of the mutation or the subscription", () => {
    const erase = valid(`mutation ($number: String!) { forgetPhone(number: $number) { events } }`);
    expectTypeOf<DataOf<typeof erase>>().toEqualTypeOf<{ forgetPhone: { events: number } | null }>();
    const live = valid("subscription { callEnded { sessionId } }");
    expectTypeOf<DataOf<typeof live>>().toEqualTypeOf<{ callEnded: { sessionId: string } }>();
  });

  it("is unknown where the types cannot tell", () => {
    const fragment = valid("{ viewer { ...Name } } fragment Name on Viewer { name }");
    const directive = valid("query ($x: Boolean!) { viewer { name @include(if: $x) } }");
    const quoted = valid('{ callLog(sessionId: "a } b") { sessionId } }');
    const comment = valid("{ viewer { name } } # of the key");
    const two = valid("query A { viewer { name } } query B { viewer { name } }");
    expectTypeOf<DataOf<typeof fragment>>().toBeUnknown();
    expectTypeOf<DataOf<typeof directive>>().toBeUnknown();
    expectTypeOf<DataOf<typeof quoted>>().toBeUnknown();
    expectTypeOf<DataOf<typeof comment>>().toBeUnknown();
    expectTypeOf<DataOf<typeof two>>().toBeUnknown();
    expectTypeOf<DataOf<string>>().toBeUnknown();
    // A type that is given wins.
    const given = (client: SwitchboardClient) => client.query<{ viewer: { name: 1 } }>("{ viewer { name } }");
    expectTypeOf(given).returns.resolves.toEqualTypeOf<{ viewer: { name: 1 } }>();
    type Any = Parameters<typeof JSON.stringify>[0];
    const any = (client: SwitchboardClient) => client.query<Any>("{ viewer { name } }");
    expectTypeOf(any).returns.resolves.toBeAny();
    const followed = (client: SwitchboardClient) => client.subscribe<Any>("subscription { taskSubmission }");
    expectTypeOf(followed).returns.toEqualTypeOf<AsyncIterableIterator<Any>>();
  });

  it("of a field that the graph has not is unknown, and no other field is", () => {
    expect(validate(schema, parse("{ viewer { nick name } }"))).toHaveLength(1);
    expectTypeOf<DataOf<"{ viewer { nick name } }">>().toEqualTypeOf<{ viewer: { nick: unknown; name: string } }>();
  });
});
