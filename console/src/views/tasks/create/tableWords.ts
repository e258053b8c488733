import type { CreateTexts } from "./texts/en.ts";

/** What a part of the console says of its own tables. The other words are those of a task's form. */
export type TableWords = Partial<
  Pick<
    CreateTexts,
    | "people"
    | "serviceColumn"
    | "pasteHint"
    | "pasteExample"
    | "fileTooLarge"
    | "asked"
    | "firstSent"
    | "duplicate"
    | "good"
    | "noHead"
  >
> & {
  tooFewDigits?: string;
  /** The name of the column of numbers, where it is none of the service. */
  numberColumn?: string;
};
