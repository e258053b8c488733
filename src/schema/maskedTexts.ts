// Masks phone numbers for viewers without people:read, in every text of the graph: a field of the type String or JSONObject
// is masked unless it says why it is safe (safeText). It is done to the schema, so it holds for each way to execute it.
import { getNamedType, isObjectType, type GraphQLField, type GraphQLSchema } from "graphql";
import type { Context } from "../resolvers/context.ts";
import { maskPhone } from "../resolvers/maskPhone.ts";
import { maskText } from "../resolvers/maskText.ts";
import type { Steps } from "../util/timeSlices.ts";
import { whenKnown, type MaybePromise } from "../util/maybePromise.ts";
import type { TextExtension } from "./builder.ts";

type Field = GraphQLField<unknown, Context>;
type Mask = (text: string) => string;

/** A body is no prose: shorter runs of digits in it may be a number, too. */
const SHORTEST_IN_BODY = 5;

const masks: Readonly<Record<NonNullable<TextExtension["textIs"]>, Mask>> = {
  phone: maskPhone,
  body: (text) => maskText(text, SHORTEST_IN_BODY),
  prose: (text) => maskText(text),
};

/** Fields that can hold a text, by the type that they are of. An ID, an enum and a DateTime hold none of anybody's. */
export function textFieldsOf(schema: GraphQLSchema): { type: string; field: Field }[] {
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith("__"));
  return types.flatMap((type) =>
    Object.values((type as unknown as { getFields(): Record<string, Field> }).getFields())
      .filter((field) => TEXTS.has(getNamedType(field.type).name))
      .map((field) => ({ type: type.name, field })),
  );
}

const TEXTS: ReadonlySet<string> = new Set(["String", "JSONObject"]);

/** Changes the resolvers of the schema, once, before it is used. */
export function maskTexts(schema: GraphQLSchema): GraphQLSchema {
  const operations = new WeakMap<Context, MaskLong>();
  const maskLongOf = (context: Context) => operations.getOrInsertComputed(context, createMaskLong);
  for (const { field } of textFieldsOf(schema)) {
    const { safeText, textIs = "prose" } = field.extensions as Partial<TextExtension>;
    if (safeText === undefined) field.resolve = masked(field, masks[textIs], maskLongOf);
  }
  return schema;
}

/** Characters. Longer texts are masked in slices: a page of bodies would hold the event loop for seconds. */
const LONG = 4096;

type MaskLong = (text: string, mask: Mask) => Promise<string>;

/** Masks the long texts of one operation as one work in slices, equal ones once. */
function createMaskLong({ slices, viewer, reader: { signal } }: Context): MaskLong {
  const answers = new Map<Mask, Map<string, Promise<string>>>();
  const waiting: (() => void)[] = [];
  let isRunning = false;
  /** With the texts that come in the meantime. */
  function* maskAll(): Steps<void> {
    for (const maskNext of waiting) {
      maskNext();
      yield;
    }
    waiting.length = 0;
    isRunning = false;
  }
  function enter(text: string, mask: Mask): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const answer = () => {
      signal.throwIfAborted();
      return mask(text);
    };
    waiting.push(() => resolve(Promise.try(answer)));
    if (isRunning) return promise;
    isRunning = true;
    void slices.run(viewer.name, maskAll());
    return promise;
  }
  return (text, mask) => {
    const ofMask = answers.getOrInsertComputed(mask, () => new Map<string, Promise<string>>());
    return ofMask.getOrInsertComputed(text, () => enter(text, mask));
  };
}

function masked(
  { name, resolve }: Field,
  mask: Mask,
  maskLongOf: (context: Context) => MaskLong,
): NonNullable<Field["resolve"]> {
  const read = resolve ?? ((source: unknown) => (source as Record<string, unknown>)[name]);
  const shown = (value: unknown, context: Context): MaybePromise<unknown> => {
    if (typeof value !== "string" || value.length <= LONG) return maskIn(value, mask);
    return maskLongOf(context)(value, mask);
  };
  return (source, args, context, info) => {
    const value = read(source, args, context, info);
    return context.viewer.scopes.has("people:read") ? value : whenKnown(value, (known) => shown(known, context));
  };
}

/** In a text, a list or a JSON value; a number beyond a count may be one that is dialled. */
function maskIn(value: unknown, mask: Mask): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value === "number") return mask(String(value)) === String(value) ? value : mask(String(value));
  if (Array.isArray(value)) return value.map((item) => maskIn(item, mask));
  if (typeof value !== "object" || value === null || value instanceof Error) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [mask(key), maskIn(inner, mask)]));
}
