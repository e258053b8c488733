// CallLog.callEnded and CallEnded.callLog, apart from both: each shows the other, and neither file waits for the other.
import { callOfEvent, EVENT_SEARCH_REQUESTS } from "../resolvers/callLog.ts";
import { asks, builder, marks, rows } from "./builder.ts";
import { CallEnded } from "./callEnded.ts";
import { CallLog } from "./callLog.ts";

builder.objectField(CallLog, "callEnded", (t) =>
  t.field({
    type: CallEnded,
    description: "The newest event of this call, where one was received.",
    resolve: (call) => call.event(),
  }),
);

builder.objectField(CallEnded, "callLog", (t) =>
  t.field({
    type: CallLog,
    description: "The call, built from this event where the service does not list it yet.",
    // Its fields ask, and only where the event leaves something open: at worst all of them together so often.
    ...marks(asks(EVENT_SEARCH_REQUESTS), rows(1)),
    resolve: (event, _, context) => callOfEvent(event, context),
  }),
);
