// Which tables are cleaned when a person is erased.

/** The tables that hold personal data. */
export const PERSONAL_TABLES = [
  "events",
  "event_assistants",
  "raw_deliveries",
  "quarantine",
  "recordings",
  "submissions",
  "task_proposals",
  "call_again",
  "open_calls",
  "known_lines",
  "known_assistants",
  "audit",
  "destinations",
  "destination_letters",
  "recipient_calls",
  "recipient_keys",
  "recipients",
];
