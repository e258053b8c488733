import { describe, it } from "vitest";
import { honestServices } from "./services/honest.ts";
import { times } from "./services/times.ts";
import { rows } from "./services/rows.ts";
import { answers } from "./services/answers.ts";
import { transports } from "./services/transport.ts";
import { examine } from "./stand.ts";

describe.concurrent("an honest service is answered for without an error", () => {
  it.for(honestServices)("a service that $name", (odd) => examine(odd));
});

describe.concurrent("nothing is silently wrong over a service that writes times oddly", () => {
  it.for(times)("a service that $name", (odd) => examine(odd));
});

describe.concurrent("nothing is silently wrong over a service that writes rows oddly", () => {
  it.for(rows)("a service that $name", (odd) => examine(odd));
});

describe.concurrent("nothing is silently wrong over a service with odd answers", () => {
  it.for(answers)("a service that $name", (odd) => examine(odd));
});

describe.concurrent("nothing is silently wrong over a service that sends oddly", () => {
  it.for(transports)("a service that $name", (odd) => examine(odd));
});
