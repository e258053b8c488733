import type { UnreadField as UnreadFieldData } from "../format/fieldReader.ts";
import { builder } from "./builder.ts";

export const UnreadField = builder.objectRef<UnreadFieldData>("UnreadField").implement({
  description:
    "A value that the gateway could not read, such as an unknown status, whose field is null. Or a time that is ambiguous because clocks were changed, whose field shows one of the two instants. It never holds a secret.",
  fields: (t) => ({
    field: t.exposeString("field", {
      nullable: false,
      description: "The name of the field in this graph, such as startAt, assistants[0] or option.lineIds[2].",
    }),
    text: t.exposeString("text", {
      nullable: false,
      description: "What the service wrote. Phone numbers are masked without the scope people:read.",
    }),
  }),
});
