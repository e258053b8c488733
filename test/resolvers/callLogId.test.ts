import { expect, it } from "vitest";
import { rowContent } from "../../src/loaders/readWindow.ts";
import { callLog } from "./world.ts";

it("A call without a session ID keeps its identity when its recording's address is signed anew", () => {
  const signed = (recordFile: string | null) => rowContent(callLog({ sessionId: null, recordFile }));
  expect(signed("https://files.example/1.wav?expires=2")).toBe(signed("https://files.example/1.wav?expires=1"));
  expect(signed("https://files.example/2.wav?expires=1")).not.toBe(signed("https://files.example/1.wav?expires=1"));
  expect(signed(null)).not.toBe(signed("https://files.example/1.wav"));
});
