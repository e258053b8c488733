// Descriptions that several types of the graph share. The others are written at their field.
import { MAX_FIRST } from "../resolvers/inputRules.ts";

export const MASKED =
  "Masked without the scope people:read: +8613****0001. The label of a line, such as A068, is shown.";

export const UNREAD =
  "Fields whose value could not be read, or could mean two things, with the text of the service. Usually empty.";

/** For durations and intervals whose unit service.md (section 2) leaves open. */
export const UNKNOWN_UNIT = "In the unit of the service, which its documentation does not state.";

export const FIRST = `Number of entries, 1 to ${MAX_FIRST}.`;

export const NOT_INBOUND = "Null for an inbound call.";

export const EDGE_CURSOR = "Pass it as after to continue with the next entry.";
export const NODES = "The entries of this page, without their cursors.";
export const EDGES = "The entries of this page, each with its cursor.";

export const CALL_COUNT = "Number of calls.";
export const ANSWERED_COUNT = "Number of those calls that were answered.";

/** For lists of the service. */
export const SERVICE_PHONE =
  "Calls whose caller or callee is this phone number, or this label of a line. The service is asked in several writings of a number (phoneWritings). Needs the scope people:read.";
