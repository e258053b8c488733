import { describe, expect, it } from "vitest";
import { honestServices } from "./services/honest.ts";
import { times } from "./services/times.ts";
import { rows } from "./services/rows.ts";
import { answers } from "./services/answers.ts";
import { transports } from "./services/transport.ts";
import { examine } from "./examine.ts";

describe.concurrent("an honest service", () => {
  it.for(honestServices)("leads to no error if it $name", (odd) => expect(examine(odd)).resolves.toBeUndefined());
});

describe.concurrent("a service that writes times oddly", () => {
  it.for(times)("leads to no silently wrong answer if it $name", (odd) =>
    expect(examine(odd)).resolves.toBeUndefined(),
  );
});

describe.concurrent("a service that writes rows oddly", () => {
  it.for(rows)("leads to no silently wrong answer if it $name", (odd) => expect(examine(odd)).resolves.toBeUndefined());
});

describe.concurrent("a service with odd answers", () => {
  it.for(answers)("leads to no silently wrong answer if it $name", (odd) =>
    expect(examine(odd)).resolves.toBeUndefined(),
  );
});

describe.concurrent("a service that sends oddly", () => {
  it.for(transports)("leads to no silently wrong answer if it $name", (odd) =>
    expect(examine(odd)).resolves.toBeUndefined(),
  );
});
