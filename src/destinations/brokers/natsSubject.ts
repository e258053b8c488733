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

/**
 * `data`: what is shown of the event; null: of a test message, whose fields are all `none`. A field without a value is the word `none`. Returns
 * the name of a field that is not shown at all in `missing`.
 */
export function subjectOf(template: string, data: unknown): { subject: string } | { missing: string } {
  const isShown = typeof data === "object" && data !== null;
  const shown = isShown ? (data as Record<string, unknown>) : {};
  const [missing] = Array.from(template.matchAll(FIELD), ([, name = ""]) => name).filter(
    (name) => isShown && shown[name] === undefined,
  );
  if (missing !== undefined) return { missing };
  const subject = template.replace(FIELD, (_, name: string) => {
    const value = shown[name];
    const text = typeof value === "string" ? value.replaceAll(/[^\w-]/g, "_") : "";
    return text === "" ? NONE : text;
  });
  return { subject };
}

const isField = (name: string | undefined) => FIELDS.some((each) => each === name);
