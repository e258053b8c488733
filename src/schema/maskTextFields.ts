// Masks phone numbers in every text of the graph for viewers without people:read: a field of the type String or JSONObject
// is masked unless it states why it is safe (safeText). The resolvers of the schema are wrapped, so that no executor can
// skip it. privacy/maskPhone.ts masks a text.
import { getNamedType, isObjectType, type GraphQLField, type GraphQLSchema } from "graphql";
import { maskBody, maskPhone, maskText } from "../privacy/maskPhone.ts";
import type { Context } from "../resolvers/context.ts";
import { andThen, type MaybePromise } from "../util/maybePromise.ts";
import type { Steps } from "../util/timeSlices.ts";
import { extensionsOf, type SchemaExtensions } from "./extensions.ts";

type Field = GraphQLField<unknown, Context>;
type Mask = (text: string) => string;

const masks: Readonly<Record<NonNullable<SchemaExtensions["textIs"]>, Mask>> = {
  phone: maskPhone,
  body: maskBody,
  prose: (text) => maskText(text),
};

/** The fields that can hold a text. IDs, enums and DateTimes are not texts. */
export function textFieldsOf(schema: GraphQLSchema): { type: string; field: Field }[] {
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith("__"));
  return types.flatMap((type) =>
    Object.values((type as unknown as { getFields(): Record<string, Field> }).getFields())
      .filter((field) => TEXTS.has(getNamedType(field.type).name))
      .map((field) => ({ type: type.name, field })),
  );
}

const TEXTS: ReadonlySet<string> = new Set(["String", "JSONObject"]);

/** Wraps the resolvers of the schema in place; to be called once, before the schema is used. */
export function maskTextFields(schema: GraphQLSchema): GraphQLSchema {
  const operations = new WeakMap<Context, MaskLong>();
  const maskLongOf = (context: Context) => operations.getOrInsertComputed(context, createMaskLong);
  for (const { field } of textFieldsOf(schema)) {
    const { safeText, textIs = "prose" } = extensionsOf(field);
    if (safeText === undefined) field.resolve = masked(field, masks[textIs], maskLongOf);
  }
  return schema;
}

/** Longer texts are masked in time slices: a page of large bodies would block the event loop for seconds. */
const MAX_SYNC_CHARACTERS = 4096;

type MaskLong = (text: string, mask: Mask) => Promise<string>;

/** Masks the long texts of one operation as one job in time slices; equal texts are masked once. */
function createMaskLong({ slices, viewer, queryOwner: { signal } }: Context): MaskLong {
  const results = new Map<Mask, Map<string, Promise<string>>>();
  const waiting: (() => void)[] = [];
  let isRunning = false;
  /** Includes the texts that are added while it runs. */
  function* maskAll(): Steps<void> {
    for (const maskNext of waiting) {
      maskNext();
      yield;
    }
    waiting.length = 0;
    isRunning = false;
  }
  function enqueue(text: string, mask: Mask): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const maskUnlessAborted = () => {
      signal.throwIfAborted();
      return mask(text);
    };
    waiting.push(() => resolve(Promise.try(maskUnlessAborted)));
    if (isRunning) return promise;
    isRunning = true;
    void slices.run(viewer.name, maskAll());
    return promise;
  }
  return (text, mask) => {
    const ofMask = results.getOrInsertComputed(mask, () => new Map<string, Promise<string>>());
    return ofMask.getOrInsertComputed(text, () => enqueue(text, mask));
  };
}

function masked(
  { name, resolve }: Field,
  mask: Mask,
  maskLongOf: (context: Context) => MaskLong,
): NonNullable<Field["resolve"]> {
  const read = resolve ?? ((source: unknown) => (source as Record<string, unknown>)[name]);
  const maskValue = (value: unknown, context: Context): MaybePromise<unknown> => {
    if (typeof value !== "string" || value.length <= MAX_SYNC_CHARACTERS) return maskIn(value, mask);
    return maskLongOf(context)(value, mask);
  };
  const maskFor = (value: unknown, context: Context) =>
    context.viewer.scopes.has("people:read") ? value : andThen(value, (known) => maskValue(known, context));
  // The executor creates `info` only for resolvers that declare it.
  if (resolve && resolve.length > 3)
    return (source, args, context, info) => maskFor(resolve(source, args, context, info), context);
  return (source, args, context) => maskFor(read(source, args, context, undefined as never), context);
}

/** In a text, a list or a JSON value, whose keys are masked too. A JSON number with many digits may be a phone number. */
function maskIn(value: unknown, mask: Mask): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value === "number") return mask(String(value)) === String(value) ? value : mask(String(value));
  if (Array.isArray(value)) return value.map((item) => maskIn(item, mask));
  if (typeof value !== "object" || value === null || value instanceof Error) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [mask(key), maskIn(inner, mask)]));
}
