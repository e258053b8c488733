// Rules on destinations that take nothing or were disabled, on both databases.
import { describe, expect, it } from "vitest";
import { databases, postgres } from "../store/databases.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { defined, destinationWorld, fails, openedWorld } from "./destinationWorld.ts";
import { rulesOf } from "./judging.ts";

const { gatewayOn, all } = alertSetup;
const FAILS = "destination crm";

describe.each(databases)("A rule on destinations on %s", (_, { create }) => {
  const opened = async (file = [defined("crm")]) => openedWorld((await create()).url, file);

  // One notification for each event that fails is too much: https://github.com/freelawproject/courtlistener/issues/2208

  it("raises one alert after its minutes, however many attempts fail, and ends it with what is taken next", async () => {
    const world = await opened([defined("crm"), defined("other")]);
    const { looked } = world.watch(await rulesOf(fails()));
    await world.take("other");
    await world.fail("crm");
    world.pass(14);
    await world.fail("crm");
    await looked();
    expect(await world.alerts()).toEqual([]);
    world.pass(1);
    await looked();
    expect(await world.alerts()).toEqual([[FAILS, 15, null, null]]);
    world.pass(10);
    await world.fail("crm");
    await looked();
    world.pass(1);
    await world.take("crm");
    world.pass(1);
    await looked();
    expect(await world.alerts()).toEqual([[FAILS, 15, "RECOVERED", 26]]);
    expect(await world.told()).toEqual([`RAISED ${FAILS}`, `RESOLVED ${FAILS}`]);
  });

  it("raises a new alert when the destination fails for its minutes again", async () => {
    const world = await opened();
    const { looked } = world.watch(await rulesOf(fails({ minutes: 200 })));
    for (const round of [1, 2]) {
      await world.fail("crm");
      world.pass(200);
      await looked();
      expect(await world.told()).toHaveLength(2 * round - 1);
      world.pass(1);
      await world.take("crm");
      await looked();
      // It takes one of a few: never nothing for so long.
      await world.fail("crm");
      world.pass(100);
      await looked();
      await world.take("crm");
      expect(await all(world.gateway)).toHaveLength(round);
    }
  });

  it("is silent on a destination that a person paused or switched off, and counts anew when that goes on", async () => {
    const world = await opened();
    const { looked } = world.watch(await rulesOf(fails()));
    await world.fail("crm");
    await world.pause("crm");
    world.pass(60);
    await looked();
    expect(await world.alerts()).toEqual([]);
    await world.resume("crm");
    await world.fail("crm");
    await looked();
    world.pass(14);
    await looked();
    expect(await world.alerts()).toEqual([]);
    world.pass(1);
    await looked();
    world.file[0] = defined("crm", { enabled: false });
    await looked();
    expect(await world.alerts()).toEqual([[FAILS, 15, "NOT_RUNNING", 75]]);
    world.pass(1);
    world.file[0] = defined("crm");
    await looked();
    expect(await world.alerts()).toHaveLength(1);
    // Nothing was sent to it meanwhile.
    world.pass(15);
    await looked();
    expect((await world.alerts())[0]).toEqual([FAILS, 15, null, null]);
  });

  it("is silent on a destination to which nothing is sent", async () => {
    const world = await opened([defined("crm"), defined("new"), defined("chat", { kind: "slack" })]);
    const { looked } = world.watch(await rulesOf(fails()));
    await world.take("crm");
    world.pass(3 * 24 * 60);
    await looked();
    expect(await world.alerts()).toEqual([]);
  });

  it("watches the destinations that it names, and ends an alert of one that leaves the file or that it names no more", async () => {
    const world = await opened([defined("crm"), defined("gone"), defined("other")]);
    const first = world.watch(await rulesOf(fails({ destinations: ["crm", "gone"] })));
    for (const name of ["crm", "gone", "other"]) await world.fail(name);
    world.pass(15);
    await first.looked();
    expect((await world.alerts()).map(([subject]) => subject)).toEqual(["destination gone", FAILS]);
    world.file.splice(1, 1);
    await first.looked();
    expect(await world.alerts()).toEqual([
      ["destination gone", 15, "RULE_CHANGED", 15],
      [FAILS, 15, null, null],
    ]);
    await first.stop();
    const second = world.watch(await rulesOf(fails({ destinations: ["other"] })));
    await second.looked();
    expect((await world.alerts()).map(([subject, , ending]) => [subject, ending])).toEqual([
      ["destination other", null],
      ["destination gone", "RULE_CHANGED"],
      [FAILS, "RULE_CHANGED"],
    ]);
    await second.stop();
    world.watch([]);
    // The look at open alerts of all kinds ends them.
    const ending = await until(async () => (await world.alerts())[0]?.[2]);
    expect(ending).toBe("RULE_CHANGED");
  });

  // Failures of before a window caused a false alarm: https://github.com/2600hz/kazoo/pull/5992

  it("goes on after a restart, and tells nothing of a receiver that came back while no gateway ran", async () => {
    const world = await opened([defined("crm"), defined("back")]);
    const rules = await rulesOf(fails());
    const first = world.watch(rules);
    await world.fail("crm");
    world.pass(15);
    await world.fail("back");
    await first.looked();
    await first.stop();
    world.pass(60);
    let isBack = false;
    // It takes what waited after the first look has read.
    const second = world.watch(rules, world.gateway, async () => {
      if (!isBack) await world.take("back");
      isBack = true;
    });
    await second.looked();
    expect(isBack).toBe(true);
    expect(await world.alerts()).toEqual([[FAILS, 15, null, null]]);
    world.pass(1);
    await world.take("crm");
    await second.looked();
    expect(await world.alerts()).toEqual([[FAILS, 15, "RECOVERED", 76]]);
  });
});

it("Two gateways raise an alert about a destination once, also where one stops on the way", async () => {
  const { url } = await postgres.create();
  const [one, other] = [await gatewayOn(url), await gatewayOn(url)];
  const world = destinationWorld(one, [defined("crm")]);
  await world.begin();
  const rules = await rulesOf(fails());
  const first = world.watch(rules);
  await first.looked();
  const second = world.watch(rules, other);
  await world.fail("crm");
  world.pass(20);
  await first.looked();
  await first.stop();
  await second.looked();
  expect(await world.alerts()).toEqual([[FAILS, 20, null, null]]);
  world.pass(1);
  await world.take("crm");
  await second.looked();
  expect(await world.told()).toEqual([`RAISED ${FAILS}`, `RESOLVED ${FAILS}`]);
});
