import { describe, expect, it } from "vitest";
import { databases } from "../../store/databases.ts";
import { idOf, proposalOffice, told } from "./office.ts";

const COUNT = 100_000;
/** With their variables 16 MB of JSON, as large as a body may be. */
const numbers = Array.from({ length: COUNT }, (_, at) => ({
  number: `+86139${10_000_000 + at}`,
  extra: { name: `Person ${at}`, note: "x".repeat(100) },
}));
const LAST = `+86139${10_000_000 + COUNT - 1}`;
const noFiles = async () => undefined;

describe.each(databases)("A proposed task of 100,000 numbers (%s)", (_, database) => {
  it("is stored, found by its last number, and sent as it was proposed", async () => {
    const { url } = await database.create();
    const { propose, approve, sent, store } = await proposalOffice({ url });
    const [first, second] = [await propose({ numbers }), await propose({ numbers, idempotencyKey: "2" })].map(idOf);
    expect(told(await approve(first ?? ""))).toEqual(["ACCEPTED", false]);
    expect(sent[0]?.numbers).toEqual(numbers);
    const of = (text: string) => text.includes(LAST);
    const match = { number: "", event: () => false, delivery: () => false, text: of, inputLine: of };
    const by = { actor: "ops", at: "2026-11-20T10:00:00.000Z" };
    expect((await store.eraser.erase(match, noFiles, by)).proposals).toBe(1);
    expect(told(await approve(second ?? ""))).toEqual(["DECLINED", false, "DECLINED"]);
  });
});
