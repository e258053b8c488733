// Destinations that were disabled, and chats, as rules see them, on both databases.
import { describe, expect, it } from "vitest";
import { databases } from "../store/databases.ts";
import { defined, fails, openedWorld } from "./destinationWorld.ts";
import { rulesOf } from "./judging.ts";

const FAILS = "destination crm";
const DISABLED = "destination crm disabled";

describe.each(databases)("A rule on destinations that are disabled, on %s", (_, { create }) => {
  const opened = async (file = [defined("crm")]) => openedWorld((await create()).url, file);

  // https://github.com/planningcenter/developers/issues/1312
  it("raises one at once for a destination that was disabled, which stays until that takes something again", async () => {
    const world = await opened();
    const { looked } = world.watch(await rulesOf(fails()));
    await world.take("crm");
    world.pass(1);
    await world.disable("crm", "GONE");
    await looked();
    expect(await world.alerts()).toEqual([[DISABLED, 0, null, null]]);
    // A receiver that still answers 410 has no second alert.
    world.pass(1);
    await world.resume("crm");
    await looked();
    await world.disable("crm", "GONE");
    await looked();
    world.pass(1);
    await world.resume("crm");
    await world.fail("crm");
    world.pass(1);
    await looked();
    expect(await world.alerts()).toEqual([[DISABLED, 0, null, null]]);
    await world.take("crm");
    await looked();
    expect(await world.alerts()).toEqual([[DISABLED, 0, "RECOVERED", 4]]);
  });

  it("puts the alert of a destination that was disabled in the place of the one that it fails, and back", async () => {
    const world = await opened();
    const { looked } = world.watch(await rulesOf(fails()));
    await world.fail("crm");
    world.pass(15);
    await looked();
    world.pass(60);
    await world.disable("crm", "FAILING");
    await looked();
    expect(await world.alerts()).toEqual([
      [DISABLED, 75, null, null],
      [FAILS, 15, "NOT_RUNNING", 75],
    ]);
    await world.resume("crm");
    await world.fail("crm");
    world.pass(15);
    await looked();
    expect(await world.alerts()).toEqual([
      [FAILS, 15, null, null],
      [DISABLED, 75, "NOT_RUNNING", 90],
      [FAILS, 15, "NOT_RUNNING", 75],
    ]);
  });

  it("does not take what was taken before a destination was disabled for a recovery", async () => {
    const world = await opened();
    const { looked } = world.watch(await rulesOf(fails()));
    await world.take("crm");
    world.pass(1);
    await world.disable("crm", "GONE", false);
    await looked();
    world.pass(1);
    await world.resume("crm");
    await looked();
    expect(await world.alerts()).toEqual([[DISABLED, 0, null, null]]);
    await world.take("crm");
    await looked();
    expect(await world.alerts()).toEqual([[DISABLED, 0, "RECOVERED", 2]]);
  });

  // A channel that fails without a word: https://github.com/grafana/grafana/issues/118274
  it("counts a chat that refuses an alert for good from that answer, until it takes another or somebody lets it go on", async () => {
    const world = await opened([defined("crm", { kind: "slack" })]);
    const { looked } = world.watch(await rulesOf(fails()));
    await world.refuse("crm");
    world.pass(14);
    await looked();
    expect(await world.alerts()).toEqual([]);
    world.pass(1);
    await looked();
    expect(await world.alerts()).toEqual([[FAILS, 15, null, null]]);
    await world.refuse("crm");
    world.pass(20);
    await looked();
    expect(await world.alerts()).toEqual([[FAILS, 15, null, null]]);
    await world.pause("crm");
    await looked();
    await world.resume("crm");
    world.pass(20);
    await looked();
    expect(await world.alerts()).toEqual([[FAILS, 15, "NOT_RUNNING", 35]]);
    await world.refuse("crm");
    world.pass(15);
    await looked();
    world.pass(1);
    await world.take("crm");
    await looked();
    expect(await world.alerts()).toEqual([
      [FAILS, 15, "RECOVERED", 71],
      [FAILS, 15, "NOT_RUNNING", 35],
    ]);
  });

  it("counts a chat that refuses one alert after the other from the first of them", async () => {
    const world = await opened([defined("crm", { kind: "slack" })]);
    const { looked } = world.watch(await rulesOf(fails()));
    for (const wait of [10, 4]) {
      await world.refuse("crm");
      await looked();
      world.pass(wait);
    }
    await world.fail("crm");
    await looked();
    expect(await world.alerts()).toEqual([]);
    world.pass(1);
    await looked();
    expect(await world.alerts()).toEqual([[FAILS, 15, null, null]]);
  });

  it("counts a robot that refused an alert with 200, also when that is not sent again any more", async () => {
    const world = await opened([defined("crm", { kind: "dingtalk" })]);
    const { looked } = world.watch(await rulesOf(fails({ minutes: 180 })));
    await world.refuse("crm", 200, '{"errcode":310000}');
    await looked();
    world.pass(180);
    await looked();
    expect(await world.alerts()).toEqual([[FAILS, 180, null, null]]);
    await world.take("crm");
    await looked();
    expect(await world.alerts()).toEqual([[FAILS, 180, "RECOVERED", 180]]);
  });

  it("begins anew with a chat that takes an alert between two looks", async () => {
    const world = await opened([defined("crm", { kind: "slack" })]);
    const { looked } = world.watch(await rulesOf(fails()));
    await world.refuse("crm");
    await looked();
    world.pass(10);
    await world.take("crm");
    await world.refuse("crm");
    await looked();
    world.pass(14);
    await looked();
    expect(await world.alerts()).toEqual([]);
    world.pass(1);
    await looked();
    expect(await world.alerts()).toEqual([[FAILS, 15, null, null]]);
  });

  it("does not take a refusal whose text an erasure took for a recovery", async () => {
    const world = await opened([defined("crm", { kind: "slack" })]);
    const { looked } = world.watch(await rulesOf(fails()));
    await world.fail("crm", null);
    world.pass(15);
    await looked();
    world.pass(100);
    await world.refuse("crm", null);
    const none = () => false;
    const match = { number: "", event: none, delivery: none, text: none, inputLine: none };
    await world.gateway.store.eraser.erase(match, async () => undefined, {
      actor: "admin",
      at: "2026-11-20T12:00:00.000Z",
    });
    expect((await world.gateway.store.destinations.read("crm"))?.lastAnswer).toMatchObject({
      status: null,
      text: null,
    });
    await looked();
    expect(await world.alerts()).toEqual([[FAILS, 15, null, null]]);
  });

  // The last of them is stored after the alert was raised, and another one is refused before the next look.
  it("ends an alert of a destination that took something, also where it fails again before the next look", async () => {
    const world = await opened();
    const { looked } = world.watch(await rulesOf(fails()));
    await world.fail("crm");
    world.pass(15);
    await looked();
    await world.take("crm");
    await world.fail("crm");
    await looked();
    expect(await world.alerts()).toEqual([[FAILS, 15, "RECOVERED", 15]]);
    world.pass(15);
    await looked();
    expect((await world.alerts())[0]).toEqual([FAILS, 15, null, null]);
  });
});
