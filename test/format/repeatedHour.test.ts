import { describe, expect, it } from "vitest";
import { createFieldReader } from "../../src/format/fieldReader.ts";
import { unreadOfCall, type Call } from "../../src/resolvers/call.ts";
import { createRowReader } from "../../src/upstream/models/readCallLogPage.ts";
import { readTask } from "../../src/upstream/models/readTask.ts";
import { createParseCallEnded } from "../../src/webhook/parse.ts";
import { callEnded } from "../events/callEnded.ts";
import { row } from "../reconcile/service.ts";
import { wholeTask } from "../upstream/service.ts";
import { body } from "../webhook/delivery.ts";

const BERLIN = "Europe/Berlin";
/** Clocks go back from 03:00 to 02:00, and forward from 02:00 to 03:00. */
const REPEATED = "2026-10-25 02:30:00";
const EARLIER = "2026-10-25T00:30:00.000Z";
const SKIPPED = "2026-03-29 02:30:00";

describe("A wall clock in a repeated or skipped hour", () => {
  it.each([
    [REPEATED, EARLIER],
    [`${REPEATED}.250`, "2026-10-25T00:30:00.250Z"],
    [REPEATED.replace(" ", "T"), EARLIER],
    [SKIPPED, "2026-03-29T01:30:00.000Z"],
  ])("is read as one instant and noted as unread: %s", (text, instant) => {
    const reader = createFieldReader(BERLIN);
    expect([reader.time("endAt", text), reader.takeUnread()]).toEqual([instant, [{ field: "endAt", text }]]);
  });

  it.each([
    "2026-10-25 01:59:59",
    "2026-10-25 03:00:00",
    "2026-10-25 12:00:00",
    "2026-03-29 01:59:59",
    "2026-03-29 03:00:00",
    `${REPEATED}+02:00`,
    `${REPEATED.replace(" ", "T")}Z`,
    Date.parse(EARLIER),
    "",
  ])("is not noted if the text has one meaning: %s", (text) => {
    const reader = createFieldReader(BERLIN);
    reader.time("endAt", text);
    expect(reader.takeUnread()).toEqual([]);
  });

  it("is noted in a row of a list, an event, a task and its assistant", () => {
    const callRow = createRowReader(BERLIN)({ endAt: REPEATED, assistant: [] }, 0);
    expect(callRow).toMatchObject({ endAt: EARLIER, unread: [{ field: "endAt", text: REPEATED }] });
    expect(createParseCallEnded(BERLIN)(body({ start_at: REPEATED }))).toMatchObject({
      call: { startAt: EARLIER, unread: [{ field: "startAt", text: REPEATED }] },
    });
    const whole = wholeTask();
    const task = readTask(
      { ...whole, createdAt: REPEATED, option: null, assistant: { ...whole.assistant, updatedAt: REPEATED } },
      "7",
      BERLIN,
    );
    expect([task.createdAt, task.assistant()?.updatedAt]).toEqual([EARLIER, EARLIER]);
    expect(task.unread()).toEqual([
      { field: "createdAt", text: REPEATED },
      { field: "assistant.updatedAt", text: REPEATED },
    ]);
  });
});

describe("A call with an event and a row", () => {
  const note = { field: "endAt", text: REPEATED };
  const event = (own: object) => ({
    ...callEnded({ sessionId: "a", ...own }),
    cursor: "c",
    revision: 1,
    source: "WEBHOOK" as const,
    receivedAt: EARLIER,
  });
  const join = (ofEvent: object, ofRow: object): Call => ({
    sessionId: "a",
    event: () => event(ofEvent),
    row: () => row({ sessionId: "a", ...ofRow }),
  });

  it("has the note of the value that it shows", async () => {
    const callRow = { endAt: "2026-10-25T01:30:00.000Z" };
    expect(await unreadOfCall(join({ endAt: EARLIER, unread: [note] }, callRow))).toEqual([note]);
    expect(await unreadOfCall(join({ endAt: null }, { endAt: EARLIER, unread: [note] }))).toEqual([note]);
  });

  it("has no note of a value that it does not show", async () => {
    expect(await unreadOfCall(join({ endAt: EARLIER }, { endAt: EARLIER, unread: [note] }))).toEqual([]);
    expect(await unreadOfCall(join({ endAt: null, unread: [note] }, { endAt: EARLIER }))).toEqual([]);
  });

  it("has no note of the row's assistants if it shows the event's", async () => {
    const unread = [{ field: "assistants[0]", text: "<object>" }];
    expect(await unreadOfCall(join({}, { assistants: [], unread }))).toEqual([]);
    expect(await unreadOfCall(join({ assistants: [] }, { assistants: [], unread }))).toEqual(unread);
  });
});
