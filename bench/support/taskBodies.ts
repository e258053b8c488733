// Bodies of createTask of about 16 MiB, the largest size allowed.

const MIB = 1024 * 1024;

const option = {
  lineIds: ["60"],
  periods: [["09:00", "18:00"]],
  startDate: "2030-01-15",
  retryCount: 0,
  retryIntervalSeconds: 60,
  numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 },
};

/** A task that the gateway accepts: it looks each number up in its never-call list. */
export function checkTask(count: number): { query: string; variables: unknown } {
  const numbers = Array.from({ length: count }, (_, at) => ({ number: `+1202${String(at).padStart(7, "0")}` }));
  const input = { name: "attack", assistantId: "11", option, numbers };
  return { query: "mutation ($input: CheckTaskInput!) { checkTask(input: $input) { people } }", variables: { input } };
}

/** The gateway refuses it, because the task has no name. */
export function createTask(numbers: unknown[]): { query: string; variables: unknown } {
  const input = { idempotencyKey: "attack", name: "", assistantId: "11", option, numbers };
  const query = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { errors { code } } }";
  return { query, variables: { input } };
}

/** The gateway keeps it, and sends it to the service. */
export function acceptedTask(idempotencyKey: string, count: number): { query: string; variables: unknown } {
  const numbers = Array.from({ length: count }, (_, at) => ({
    number: `+1202${String(at).padStart(7, "0")}`,
    extra: { id: String(at), note: "x".repeat(60) },
  }));
  const input = {
    idempotencyKey,
    name: "memory",
    assistantId: "11",
    option: { ...option, startDate: "2099-01-15" },
    numbers,
  };
  const query = `mutation ($input: CreateTaskInput!) {
    createTask(input: $input) { submission { status numberCount } errors { code } }
  }`;
  return { query, variables: { input } };
}

function taskBody(numbersOf: (roomFor: (each: string) => number) => unknown[]): string {
  return JSON.stringify(createTask(numbersOf((each) => Math.floor((15.5 * MIB) / Buffer.byteLength(each)))));
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

/** Objects in lists that are short enough, as variables of some numbers. */
function objects(count: number, write: (at: number) => unknown): string {
  const LIST = 190_000;
  const numbers = Array.from({ length: Math.ceil(count / LIST) }, (_, list) => ({
    number: `+1202555010${list}`,
    extra: { list: Array.from({ length: Math.min(LIST, count - list * LIST) }, (_, at) => write(list * LIST + at)) },
  }));
  return JSON.stringify(createTask(numbers));
}

/** Six of a hundred names, in an order of their own for almost each `at`. */
function ofOwnShape(at: number): Record<string, number> {
  const names = Array.from({ length: 6 }, (_, place) => (Math.imul(at + 1, 2_654_435_761 + 97 * place) >>> 8) % 100);
  return Object.fromEntries(names.map((name) => [`n${name}`, 1]));
}

export const taskBodies: Record<string, () => string> = {
  "one number, as often as fits": () =>
    taskBody((roomFor) =>
      Array.from({ length: roomFor('{"number":"+12025550101"},') }, () => ({ number: "+12025550101" })),
    ),
  "as many numbers as fit": () =>
    taskBody((roomFor) =>
      Array.from({ length: roomFor('{"number":"+12025550101"},') }, (_, at) => ({
        number: `+1202${String(at).padStart(7, "0")}`,
      })),
    ),
  "numbers of U+FDFA": () =>
    taskBody((roomFor) => {
      const number = "\ufdfa".repeat(500);
      return Array.from({ length: roomFor(`{"number":"${number}"},`) }, () => ({ number }));
    }),
  "objects with a member name of their own": () => objects(456_000, (at) => ({ [at.toString(36)]: 1 })),
  "objects of different shapes": () => objects(280_000, ofOwnShape),
  "variables of 100,000 numbers, without a name": () =>
    JSON.stringify(
      createTask(
        Array.from({ length: 100_000 }, (_, at) => ({
          number: `+1202${String(at).padStart(7, "0")}`,
          extra: { id: String(at), note: "x".repeat(60) },
        })),
      ),
    ),
  "deep variables": () =>
    taskBody((roomFor) => {
      const extra = nested(500);
      const each = { number: "+12025550101", extra };
      return Array.from({ length: roomFor(`${JSON.stringify(each)},`) }, () => each);
    }),
};
