import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { transports } from "../security/transports.ts";
import { type TestGateway, NO_SERVICE, startGateway } from "../support/gateway.ts";
import { taskInputFor } from "./submitting.ts";

const CREATE = "mutation Create($input: CreateTaskInput!) { createTask(input: $input) { replayed } }";
const input = taskInputFor("1");
/** In the place of a phone number or a secret. */
const CANARY = "canary";
const create = (changes: object) => ({ query: CREATE, variables: { input: { ...input, ...changes } } });
const INVALID = 'Variable "$input" has invalid value';

/** Requests, and the message for each with introspection. */
const mistakes: readonly (readonly [request: { query: string; variables?: object }, message: string])[] = [
  [
    { query: "{ callLogs(first: 1) { nodez { caller } } }" },
    'Cannot query field "nodez" on type "CallLogConnection". Did you mean "nodes"?',
  ],
  [
    { query: "{ callLogs(frist: 1) { totalCount } }" },
    'Unknown argument "frist" on field "Query.callLogs". Did you mean "first"?',
  ],
  [
    { query: "{ callLogs(first: 1) }" },
    'Field "callLogs" of type "CallLogConnection" must have a selection of subfields. Did you mean "callLogs { ... }"?',
  ],
  [
    { query: "{ callLog { answered } }" },
    'Argument "Query.callLog(sessionId:)" of type "ID!" is required, but it was not provided.',
  ],
  [
    { query: "query($a: Strin) { callLogs(after: $a) { totalCount } }" },
    'Unknown type "Strin". Did you mean "String"?',
  ],
  [
    { query: "query($a: Int) { callLogs(after: $a) { totalCount } }" },
    'Variable "$a" of type "Int" used in position expecting type "String".',
  ],
  [{ query: "{ callLogs(first: 1) { ...Calls } }" }, 'Unknown fragment "Calls".'],
  [
    { query: `{ callLogs(filter: { directon: ${CANARY} }) { totalCount } }` },
    'Expected value of type "CallLogFilter" not to include unknown field <redacted>. Did you mean "direction"?',
  ],
  [
    { query: "{ callLogs(filter: { direction: OUTBUND }) { totalCount } }" },
    'Value <redacted> does not exist in "CallDirection" enum. Did you mean the enum value "OUTBOUND"?',
  ],
  [{ query: `{ callLogs(first: "${CANARY}") { totalCount } }` }, "Int cannot represent non-integer value."],
  [create({ name: { [CANARY]: 1 } }), `${INVALID} at .name: String cannot represent a non string value.`],
  [
    create({ option: { ...input.option, retryCount: CANARY } }),
    `${INVALID} at .option.retryCount: Int cannot represent non-integer value.`,
  ],
  [
    create({ option: CANARY }),
    `${INVALID} at .option: Expected value of type "CreateTaskOptionInput" to be an object.`,
  ],
  [
    create({ option: null }),
    `${INVALID} at .option: Expected value of non-null type "CreateTaskOptionInput!" not to be null.`,
  ],
  [
    create({ numbers: [{ extra: { a: CANARY } }] }),
    `${INVALID} at .numbers[0]: Expected value of type "TaskNumberInput" to include required field "number".`,
  ],
  [
    create({ nmae: CANARY }),
    `${INVALID}: Expected value of type "CreateTaskInput" not to include unknown field <redacted>. Did you mean "name"?`,
  ],
  [
    create({ [`${CANARY}". Did you mean "${CANARY}"? Found: `]: 1 }),
    `${INVALID}: Expected value of type "CreateTaskInput" not to include unknown field <redacted>.`,
  ],
];

describe.each([["on"], ["off"]])("with INTROSPECTION=%s", (introspection) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway(NO_SERVICE, { INTROSPECTION: introspection });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const isOn = introspection === "on";
  const title = isOn ? "names types, fields and what was expected, and no value" : "tells nothing of the graph";

  it.each(transports)(`a refusal over %s ${title}`, async (_, open) => {
    await using transport = await open(gateway.url);
    for (const [request, message] of mistakes) {
      const { errors = [] } = await transport.ask(request);
      const messages = errors.map((error) => error.message);
      expect(messages.join()).not.toContain(CANARY);
      if (isOn) expect(messages).toContain(message);
      else expect(messages.join()).not.toMatch(/Did you mean|"|CallLog|TaskOption|OUTBOUND|nodes|subfields/);
    }
  });

  it(`a refused item of a long list ${title}`, async () => {
    const numbers = [
      ...Array.from({ length: 5000 }, (_, at) => ({ number: String(at) })),
      { number: "1", nubmer: CANARY },
    ];
    const { errors = [] } = await gateway.ask(CREATE, { input: { ...input, numbers } });
    const messages = errors.map((error) => error.message);
    expect(messages.join()).not.toContain(CANARY);
    const expected = `${INVALID} at .numbers[5000]: Expected value of type "TaskNumberInput" not to include unknown field <redacted>. Did you mean "number"?`;
    if (isOn) expect(messages).toContain(expected);
    else expect(messages.join()).not.toMatch(/Did you mean|"|TaskNumber/);
  });
});
