// The words of docs/glossary.md are linked where a guide uses them first.
import { describe, expect, it } from "vitest";
import { textAt } from "./sources.ts";

const GLOSSARY = "docs/glossary.md";
/** Pages that a newcomer reads, with the words that they must explain. */
const GUIDES = {
  "docs/getting-started.md": [
    "task",
    "assistant",
    "webhook",
    "event",
    "head cursor",
    "event log",
    "idempotency key",
    "submission",
    "proposal",
  ],
  "docs/queries.md": ["cursor", "event log", "drift", "viewer"],
  "docs/live-events.md": ["cursor", "head cursor", "gap", "session", "revision", "reconciliation", "quarantine"],
  "docs/creating-tasks.md": [
    "scope",
    "idempotency key",
    "submission",
    "number table",
    "viewer",
    "proposal",
    "correlation",
  ],
  "docs/your-own-service.md": ["doctor", "undetermined", "webhook", "key", "quarantine", "reconciliation"],
};

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");
const headings = [...textAt(GLOSSARY).matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);

describe("The glossary", () => {
  it("is in the order of the alphabet, and explains each word in at most four sentences", () => {
    expect(headings).toEqual(headings.toSorted((a, b) => a.localeCompare(b, "en")));
    const parts = textAt(GLOSSARY)
      .split(/^### .+$/m)
      .slice(1);
    expect(parts.filter((part) => part.split(/[.!?:] (?=[A-Z*`])/).length > 4)).toEqual([]);
  });

  it.each(Object.entries(GUIDES))("is linked by %s where each word comes first", (path, words) => {
    const text = proseOf(textAt(path));
    const notLinked = words.filter((word) => {
      const heading = headings.find((each) => each.toLowerCase().startsWith(word)) ?? word;
      const first = new RegExp(`\\b${word}s?\\b`, "i").exec(text)?.index ?? text.length;
      const link = /\[[^\]]*\]\(glossary\.md#([\w-]+)\)/y;
      link.lastIndex = text.lastIndexOf("[", first);
      const [, anchor] = link.exec(text) ?? [];
      return anchor !== anchorOf(heading) || first >= link.lastIndex;
    });
    expect(notLinked).toEqual([]);
  });
});

/** Without code, headings and the targets of other links. */
const proseOf = (text: string) =>
  text.replaceAll(/```[^]*?```|`[^`]*`|^#.*$/gm, "").replaceAll(/\]\((?!glossary)[^)]*\)/g, "]");
