import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLoopTurns, type LoopTurns } from "../../src/util/loopTurns.ts";

const CONNECTIONS = 30;
const web = () => ({ address: "10.0.0.1", credentials: "web" });

/** A server whose event loop does a piece of work in every turn, for as long as connections are missing. */
async function acceptBesideWork(turns: LoopTurns) {
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    turns.accepted();
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  for (let at = 0; at < CONNECTIONS; at += 1) connect(port, "127.0.0.1").on("error", () => undefined);
  let pieces = 0;
  await new Promise<void>((resolve) => {
    const work = () => {
      pieces += 1;
      if (accepted === CONNECTIONS) resolve();
      else turns.next(work);
    };
    turns.next(work);
  });
  return pieces;
}

describe("turns of the event loop", () => {
  it("let connections be accepted before long work goes on", async () => {
    expect(await acceptBesideWork(createLoopTurns(() => 0))).toBeLessThan(CONNECTIONS / 2);
  });

  it("let long work go on when connections have been accepted for 10 ms", async () => {
    let now = 0;
    expect(await acceptBesideWork(createLoopTurns(() => (now += 10)))).toBeGreaterThan(CONNECTIONS / 2);
  });

  it("begin long work in the next turn while no connection comes", async () => {
    const { next } = createLoopTurns();
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      next(() => order.push("work"));
      setImmediate(() => {
        order.push("same turn");
        setImmediate(() => resolve());
      });
    });
    expect(order).toEqual(["work", "same turn"]);
  });
});

describe("short work while connections are accepted", () => {
  it("begins at once while no connection comes", () => {
    let isBegun = false;
    createLoopTurns().afterAccepting(() => (isBegun = true), web);
    expect(isBegun).toBe(true);
  });

  it("begins at once up to 100 pieces in a turn, and later beyond them", async () => {
    const { afterAccepting } = createLoopTurns();
    const begun: number[] = [];
    const take = (at: number) => afterAccepting(() => void begun.push(at), web);
    for (let at = 0; at < 250; at += 1) take(at);
    expect(begun).toHaveLength(100);
    while (begun.length < 250) await nextTurn();
    for (let turns = 0; turns < 2; turns += 1) await nextTurn();
    take(250);
    expect(begun).toEqual([...Array(251).keys()]);
  });

  it("begins in its order, in the first turn without an accepted connection", async () => {
    const { accepted, afterAccepting } = createLoopTurns();
    const begun: string[] = [];
    accepted();
    afterAccepting(() => begun.push("first"), web);
    await nextTurn();
    accepted();
    afterAccepting(() => begun.push("second"), web);
    await nextTurn();
    expect(begun).toEqual([]);
    for (let turns = 0; turns < 3; turns += 1) await nextTurn();
    expect(begun).toEqual(["first", "second"]);
  });

  it("begins after 50 ms while connections go on coming", async () => {
    let now = 0;
    const { accepted, afterAccepting } = createLoopTurns(() => now);
    let begunAt: number | null = null;
    accepted();
    afterAccepting(() => (begunAt = now), web);
    for (; now < 100; now += 1) {
      accepted();
      await nextTurn();
    }
    expect(begunAt).toBe(50);
  });

  it("begins in many turns if much of it has waited, and what comes meanwhile after it", async () => {
    let now = 0;
    const { accepted, afterAccepting } = createLoopTurns(() => now);
    const begun: string[] = [];
    const take = (name: string) =>
      afterAccepting(() => {
        begun.push(name);
        // A request goes on in microtasks.
        void Promise.resolve().then(() => (now += 1));
      }, web);
    accepted();
    const names = Array.from({ length: 23 }, (_, at) => `held ${at}`);
    names.forEach(take);
    const beganInTurn: number[] = [];
    while (begun.length < names.length + 1) {
      const before = begun.length;
      await nextTurn();
      if (before === 0 && begun.length > 0) take("came meanwhile");
      beganInTurn.push(begun.length - before);
    }
    expect(begun).toEqual([...names, "came meanwhile"]);
    expect(Math.max(...beganInTurn)).toBe(2);
    let isBegun = false;
    await nextTurn();
    afterAccepting(() => (isBegun = true), web);
    expect(isBegun).toBe(true);
  });

  it("of one sender waits for one piece of another's at a time", async () => {
    const { accepted, afterAccepting } = createLoopTurns(() => 0);
    const begun: string[] = [];
    const take = (name: string) =>
      afterAccepting(
        () => begun.push(name),
        () => ({ address: "10.0.0.1", credentials: name.slice(0, -1) }),
      );
    accepted();
    ["many1", "many2", "many3", "one1", "one2"].forEach(take);
    while (begun.length < 5) await nextTurn();
    expect(begun).toEqual(["many1", "one1", "many2", "one2", "many3"]);
  });

  it("of an address that sends other credentials each time delays another address by one piece at a time", async () => {
    const { accepted, afterAccepting } = createLoopTurns(() => 0);
    const begun: string[] = [];
    const take = (address: string, credentials: string) =>
      afterAccepting(
        () => begun.push(credentials),
        () => ({ address, credentials }),
      );
    accepted();
    for (const key of ["forged1", "forged2", "forged3"]) take("203.0.113.1", key);
    for (const key of ["own1", "own2"]) take("10.0.0.1", key);
    while (begun.length < 5) await nextTurn();
    expect(begun).toEqual(["forged1", "own1", "forged2", "own2", "forged3"]);
  });
});
