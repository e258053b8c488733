// Events of other calling and telephony services, written in the fields of this service: their names, and what each shows of its call.
// Each with the address at which it was met, or "own".

import { hangUps } from "./hangUpWords.ts";

export interface EventSample {
  /** event_name. */
  name: string;
  /** The fields of event_data beside session_id, caller and callee. */
  data: Record<string, unknown>;
  /** Whether it ends its call. */
  isEnd: boolean;
  source: string;
}

const START = "2026-11-20 17:00:00";
const ANSWER = "2026-11-20 17:00:10";
const END = "2026-11-20 17:01:00";
/** What a service written in Go sends for fields that it has not set. */
const ZEROS = {
  answer_at: "0001-01-01T00:00:00Z",
  end_at: "0001-01-01T00:00:00Z",
  duration: 0,
  billsec: 0,
  ring_time: 0,
  hangup_side: "",
  hangup_reason: "",
  record_url: "",
};

const RETELL = "https://docs.retellai.com/features/webhook";
const VONAGE = "https://developer.vonage.com/voice/voice-api/webhook-reference";
const SINCH = "https://developers.sinch.com/sdk/sinch-sdk-node/1.6.0/types/Voice.v2.WebhookEvent.html";
const TELNYX = "https://developers.telnyx.com/api-reference/callbacks";
const ASTERISK = "https://docs.asterisk.org/Asterisk_20_Documentation/API_Documentation/AMI_Events";
const FREESWITCH = "https://developer.signalwire.com/freeswitch/programming/events-catalog/";
const VAPI = "https://docs.rs/vapi-client/latest/vapi_client/models/server_message_status_update/index.html";
const DIDWW = "https://doc.didww.com/call-events/did-call-events.html";

export const events: readonly EventSample[] = [
  { name: "call_started", data: { start_at: START }, isEnd: false, source: RETELL },
  { name: "call_started", data: { start_at: START, ...ZEROS }, isEnd: false, source: RETELL },
  { name: "call_ended", data: { start_at: START, end_at: END, duration: 60 }, isEnd: true, source: RETELL },
  { name: "call_analyzed", data: { start_at: START, end_at: END, hangup_side: "callee" }, isEnd: true, source: RETELL },
  {
    name: "transcript_updated",
    data: { start_at: START, answer_at: ANSWER, end_at: null },
    isEnd: false,
    source: RETELL,
  },
  { name: "started", data: { start_at: START, end_at: null, duration: null }, isEnd: false, source: VONAGE },
  { name: "answered", data: { start_at: null, answer_at: ANSWER, duration: "0" }, isEnd: false, source: VONAGE },
  {
    name: "completed",
    data: { start_at: START, end_at: END, duration: "60", billsec: "50" },
    isEnd: true,
    source: VONAGE,
  },
  { name: "unanswered", data: { end_at: "", duration: 0, hangup_reason: "timeout" }, isEnd: true, source: VONAGE },
  { name: "call.amd.machine", data: { answer_at: ANSWER, ring_time: 10, billsec: 0 }, isEnd: false, source: SINCH },
  { name: "call.hangup", data: { duration: 60, hangup_reason: "caller hung up" }, isEnd: true, source: SINCH },
  { name: "call.recording.finished", data: { record_url: "https://files.example/1.mp3" }, isEnd: false, source: SINCH },
  {
    name: "call.initiated",
    data: { start_at: START, direction: "outbound" },
    isEnd: false,
    source: `${TELNYX}/call-initiated`,
  },
  {
    name: "in-progress",
    data: { start_at: START, duration: "15" },
    isEnd: false,
    source: `${TELNYX}/texml-call-answered`,
  },
  // A hang-up without a time: the event does not show when, nor how long the call was.
  {
    name: "call.hangup",
    data: { start_at: START, hangup_side: "caller", hangup_reason: "call_rejected" },
    isEnd: false,
    source: `${TELNYX}/call-hangup`,
  },
  {
    name: "completed",
    data: { duration: "2", hangup_side: "callee" },
    isEnd: true,
    source: "https://developers.telnyx.com/docs/voice/programmable-voice/texml-verbs/hangup",
  },
  { name: "Newstate", data: { hangup_reason: "0", duration: 0 }, isEnd: false, source: `${ASTERISK}/Hangup/` },
  { name: "HangupRequest", data: { hangup_reason: "16" }, isEnd: false, source: `${ASTERISK}/HangupRequest/` },
  {
    name: "Hangup",
    data: { hangup_reason: "Normal Clearing", billsec: 50 },
    isEnd: true,
    source: `${ASTERISK}/Hangup`,
  },
  {
    name: "CHANNEL_CREATE",
    data: { start_at: START, hangup_reason: "NONE", duration: 0 },
    isEnd: false,
    source: FREESWITCH,
  },
  { name: "CHANNEL_PROGRESS", data: { start_at: START, ring_time: 3 }, isEnd: false, source: FREESWITCH },
  {
    name: "CHANNEL_HANGUP_COMPLETE",
    data: { hangup_reason: "NORMAL_CLEARING", duration: 60, hangup_side: "system" },
    isEnd: true,
    source: FREESWITCH,
  },
  { name: "status-update", data: { start_at: START, hangup_reason: null, end_at: "null" }, isEnd: false, source: VAPI },
  {
    name: "end-of-call-report",
    data: { start_at: START, end_at: "2026-11-20T09:01:00.123Z", hangup_reason: "customer-ended-call" },
    isEnd: true,
    source: "https://docs.rs/vapi-client/latest/vapi_client/models/server_message_end_of_call_report/index.html",
  },
  {
    name: "Call Connect Event",
    data: { start_at: START, answer_at: ANSWER, end_at: "-" },
    isEnd: false,
    source: DIDWW,
  },
  {
    name: "ring",
    data: { start_at: "1795165200" },
    isEnd: false,
    source: "https://document.infin8linx.com/books/voice-en-api",
  },
  {
    name: "notify_call.end",
    data: { start_at: 1_795_165_200, answer_at: null, end_at: 1_795_165_260, duration: 0 },
    isEnd: true,
    source: "https://geekdaxue.co/read/yunhuni-server-api-docs/docs-evt-simple_call-notify_call.md",
  },
  {
    name: "PnsCallEnd",
    data: { start_at: 1_795_165_200_000, end_at: 1_795_165_260_000, hangup_reason: "正常结束" },
    isEnd: true,
    source: "https://doc.v-call.cn/docs/apidoc/apidoc-1edt3m24a1dkv",
  },
  {
    name: "scheduled",
    data: { duration: 0, hangup_side: null, end_at: "pending" },
    isEnd: false,
    source: "https://www.bolna.ai/docs/poll-call-data",
  },
  // An end that cannot be read, in an event that shows that there is one.
  {
    name: "terminal",
    data: { start_at: START, end_at: "20 Nov 2026 at 5 pm", duration: 60 },
    isEnd: true,
    source: "https://developer.exotel.com/api/statuscallback",
  },
  ...hangUps,
];
