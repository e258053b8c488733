// The subject of a message: fixed words and fields of the event, such as `calls.ended.{direction}`.

/** None tells of a person. */
const FIELDS = ["direction", "source", "taskId"] as const;
const TEMPLATE = /^(?!\$)(?:[\w$-]+|\{\w+\})(?:\.(?:[\w$-]+|\{\w+\}))*$/;
const FIELD = /\{(\w+)\}/g;
const NONE = "none";

/** What is wrong with a template, as the end of a sentence. Null: nothing. */
export function templateFault(template: string): string | null {
  if (template.length > 255 || !TEMPLATE.test(template)) return "must be words with dots between, such as calls.ended";
  const unknown = Array.from(template.matchAll(FIELD), ([, name]) => name).find((name) => !isField(name));
  return unknown === undefined
    ? null
    : `has {${unknown}}, which is none of ${FIELDS.map((each) => `{${each}}`).join(", ")}`;
}

/** `data`: what is shown of the event. A field that is not shown, or null, is the word `none`. */
export function subjectOf(template: string, data: unknown): string {
  const shown = typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {};
  return template.replace(FIELD, (_, name: string) => {
    const value = shown[name];
    const text = typeof value === "string" ? value.replaceAll(/[^\w-]/g, "_") : "";
    return text === "" ? NONE : text;
  });
}

const isField = (name: string | undefined) => FIELDS.some((each) => each === name);
