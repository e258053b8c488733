// The words of docs/glossary.md are linked where a guide uses them first.
import { describe, expect, it } from "vitest";
import { textAt } from "./sources.ts";

const GLOSSARY = "docs/glossary.md";
/** Pages that a newcomer reads, with the words that they must explain. */
const GUIDES = {
  "docs/getting-started.md": ["cursor", "do-not-call list"],
  "docs/queries.md": ["cursor", "drift", "viewer"],
  "docs/live-events.md": ["head cursor", "revision", "quarantine", "reconciliation", "gap", "session"],
  "docs/creating-tasks.md": ["submission", "idempotency key", "number table", "correlation", "viewer", "scope"],
  "docs/your-own-service.md": ["doctor", "undetermined", "webhook"],
};

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");
const headings = [...textAt(GLOSSARY).matchAll(/^### (.+)$/gm)].map(([, heading = ""]) => heading);

describe("The glossary", () => {
  it("is in the order of the alphabet, and explains each word in at most four sentences", () => {
    expect(headings).toEqual(headings.toSorted((a, b) => a.localeCompare(b, "en")));
    const parts = textAt(GLOSSARY)
      .split(/^### .+$/m)
      .slice(1);
    expect(parts.filter((part) => part.split(/[.!?:] (?=[A-Z*`])/).length > 4)).toEqual([]);
  });

  it.each(Object.entries(GUIDES))("is linked by %s for each of its words", (path, words) => {
    const text = textAt(path).replaceAll(/```[^]*?```/g, "");
    const linked = [...text.matchAll(/\]\(glossary\.md#([\w-]+)\)/g)].map(([, anchor = ""]) => anchor);
    const anchors = words.map((word) => anchorOf(headings.find((each) => each.toLowerCase().startsWith(word)) ?? word));
    expect(anchors.filter((anchor) => !linked.includes(anchor))).toEqual([]);
  });
});
