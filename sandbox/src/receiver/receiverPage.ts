// The page of the receiver. It has no script: the browser loads it anew every three seconds.
import type { ReceivedMessage, Verdict } from "./receivedMessage.ts";

const WORDS: Record<Verdict, string> = {
  right: "signature is right",
  wrong: "SIGNATURE IS WRONG",
  old: "SIGNATURE IS OLD",
  none: "not signed",
};
const STYLE = `body{font:14px/1.5 system-ui,sans-serif;margin:24px auto;max-width:960px;padding:0 16px;color:#1a1a1a;background:#fff}
li{border-top:1px solid #ccc;padding:8px 0;overflow-wrap:anywhere}ol{list-style:none;padding:0}pre{white-space:pre-wrap;margin:4px 0;font-size:12px}
.right{color:#0a6b2e}.wrong,.old{color:#b00020}.none{color:#5a5a5a}`;
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string) => text.replace(/[&<>"']/g, (each) => ESCAPES[each] ?? "");

/** `messages`: the newest first. */
export function receiverPage(messages: readonly ReceivedMessage[]): string {
  const count = messages.length === 1 ? "1 message" : `${messages.length} messages`;
  const empty = "<p>Nothing has come yet. docs/destinations.md says how to send messages here.</p>";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="3">
<meta name="viewport" content="width=device-width"><title>${count} - the sandbox's receiver</title><style>${STYLE}</style></head>
<body><h1>The sandbox's receiver</h1><p>${count}, the newest first. At most 200 are kept, in memory.</p>
${messages.length === 0 ? empty : `<ol>${messages.map(itemOf).join("\n")}</ol>`}</body></html>
`;
}

function itemOf({ at, id, signature, isRepeat, status, body }: ReceivedMessage): string {
  const facts = [
    new Date(at).toISOString(),
    `<strong class="${signature}">${WORDS[signature]}</strong>`,
    `answered ${status}`,
    ...(isRepeat ? ["a repeat"] : []),
    ...(id === null ? [] : [`id ${escaped(id)}`]),
  ];
  return `<li>${facts.join(" · ")}<pre>${escaped(readable(body))}</pre></li>`;
}

/** Indented where it is JSON. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
