// Columns of a list of calls that a user can add.
import type { Texts } from "../texts/en.ts";
import type { Column } from "../ui/columns.ts";
import { PhoneNumber } from "../ui/PhoneNumber.tsx";
import type { LinkedCall } from "./CallLink.tsx";

/** The line is the end of the call that is not the person: a number, or a label of the service. */
export const partyColumns = ({ call: t, format }: Texts): Column<LinkedCall>[] => [
  {
    id: "line",
    title: t.line,
    width: 140,
    isOptional: true,
    cell: ({ direction, caller, callee }) => <PhoneNumber value={direction === "INBOUND" ? callee : caller} />,
  },
  { id: "caller", title: t.caller, width: 140, isOptional: true, cell: ({ caller }) => <PhoneNumber value={caller} /> },
  { id: "session", title: t.session, width: 300, isOptional: true, cell: ({ sessionId }) => sessionId ?? format.none },
];
