// The type of an operation's result, read from its text. The types can tell where the text has fields, arguments, variables and other
// names for fields. Where it has fragments, directives, texts or comments, the result is unknown: use a typed document.
import type { Mutation, Query, Subscription } from "./generated/graph.ts";

/** What the operation in `Text` gives. `unknown`: the types cannot tell. `any`, given in place of a text, stays so. */
export type DataOf<Text extends string> =
  true extends IsAny<Text>
    ? Text
    : string extends Text
      ? unknown
      : Text extends `${string}${"..." | "@" | '"' | "#"}${string}`
        ? unknown
        : Operation<Spaced<WithoutArguments<Text>>>;

/** Only `any` takes both branches. An intersection with a number would be nothing for each text, and so be false here for `any`, too. */
type IsAny<Type> = boolean extends (Type extends never ? true : false) ? true : false;

/** Arguments and the variables of an operation stand in parentheses, which do not nest. */
type WithoutArguments<Text extends string> = Text extends `${infer Before}(${string})${infer After}`
  ? WithoutArguments<`${Before} ${After}`>
  : Text;

/** Blanks between all words, and no other signs between them. */
type Spaced<Text extends string> = Replaced<Replaced<Replaced<Lines<Text>, "{", " { ">, "}", " } ">, ":", " : ">;
type Lines<Text extends string> = Replaced<
  Replaced<Replaced<Replaced<Text, "\n", " ">, "\r", " ">, "\t", " ">,
  ",",
  " "
>;

type Replaced<
  Text extends string,
  Sign extends string,
  By extends string,
  Done extends string = "",
> = Text extends `${infer Before}${Sign}${infer After}`
  ? Replaced<After, Sign, By, `${Done}${Before}${By}`>
  : `${Done}${Text}`;

type Trimmed<Text extends string> = Text extends ` ${infer Rest}` ? Trimmed<Rest> : Text;

type Operation<Text extends string> = Text extends `${infer Head} { ${infer Fields}`
  ? Selected<RootOf<Trimmed<Head>>, Fields>
  : unknown;

type RootOf<Head extends string> = Head extends `mutation${string}`
  ? Mutation
  : Head extends `subscription${string}`
    ? Subscription
    : Query;

/** One operation alone: nothing follows its last brace. */
type Selected<Type, Fields extends string> =
  Selection<Type, Trimmed<Fields>> extends [infer Data, infer Rest extends string]
    ? Trimmed<Rest> extends ""
      ? Data
      : unknown
    : unknown;

/** The data of the fields up to the brace that ends them, and the text behind it. */
type Selection<Type, Text extends string, Data = unknown> = Text extends `} ${infer Rest}`
  ? [Flat<Data>, Rest]
  : Text extends `${infer Name} ${infer Rest}`
    ? Field<Type, Name, Name, Trimmed<Rest>, Data>
    : never;

type Field<Type, Name extends string, Key extends string, Rest extends string, Data> = Rest extends `: ${infer Aliased}`
  ? Trimmed<Aliased> extends `${infer Own} ${infer After}`
    ? Field<Type, Own, Key, Trimmed<After>, Data>
    : never
  : Rest extends `{ ${infer Fields}`
    ? Selection<ObjectOf<TypeOfField<Type, Name>>, Trimmed<Fields>> extends [infer Inner, infer After extends string]
      ? Selection<Type, Trimmed<After>, Data & Record<Key, Wrapped<TypeOfField<Type, Name>, Inner>>>
      : never
    : Selection<Type, Rest, Data & Record<Key, TypeOfField<Type, Name>>>;

type TypeOfField<Type, Name extends string> = Name extends keyof Type
  ? Type[Name]
  : Name extends "__typename"
    ? string
    : unknown;

/** The object in lists and beside null. */
type ObjectOf<Value> = Value extends null ? never : Value extends readonly (infer Item)[] ? ObjectOf<Item> : Value;

/** The selected data in the place of the object. */
type Wrapped<Value, Inner> = Value extends null
  ? null
  : Value extends readonly (infer Item)[]
    ? Wrapped<Item, Inner>[]
    : Inner;

/** As one object, which an editor shows in full. */
type Flat<Data> = { [Key in keyof Data]: Data[Key] };
