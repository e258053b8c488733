import { describe, expect, it } from "vitest";
import { exchange } from "../server/serve.ts";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, startGateway } from "../support/gateway.ts";
import { WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";

describe("A mistyped WEBHOOK_AUTHORIZATION", () => {
  it("is in the log at the first refused webhook, then with counts, never with its value", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    const mistyped = WEBHOOK_AUTHORIZATION.replace("canary", "canari");
    const send = (headers: Record<string, string>) => fetch(`${gateway.url}/calllog`, { method: "POST", headers });
    const isWarning = ({ msg }: Record<string, unknown>) => String(msg).includes("not WEBHOOK_AUTHORIZATION");

    expect((await send({ authorization: mistyped })).status).toBe(401);
    expect(await gateway.line(isWarning)).toMatchObject({ level: "warn", header: { wrong: 1 } });
    await Promise.all(Array.from({ length: 50 }, () => send({ authorization: mistyped })));
    for (const headers of [{}, { authorization: "" }]) expect((await send(headers)).status).toBe(401);
    const twice = `authorization: ${WEBHOOK_AUTHORIZATION}\r\n`.repeat(2);
    const head = `POST /calllog HTTP/1.1\r\nhost: x\r\n${twice}content-length: 0\r\nconnection: close\r\n\r\n`;
    expect(await exchange(Number(new URL(gateway.url).port), head)).toMatch(/^HTTP\/1.1 401 /);
    expect((await gateway.deliver(callEndedEvent())).status).toBe(200);

    await gateway[Symbol.asyncDispose]();
    const warnings = gateway.output.map((line) => JSON.parse(line) as Record<string, unknown>).filter(isWarning);
    expect(warnings.map(({ header }) => header)).toEqual([{ wrong: 1 }, { wrong: 51, missing: 2 }]);
    expect(gateway.output.join("\n")).not.toMatch(/canar[iy]/);
  });
});
