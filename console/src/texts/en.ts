// The English catalogue. A view keeps its texts in its own folder; zh.ts must have the same ones, which its type demands.
import { callTexts } from "../call/texts/en.ts";
import { liveTexts } from "../views/live/texts/en.ts";

const count = (n: string, one: string, other: string): string => (n === "1" ? `1 ${one}` : `${n} ${other}`);

export const en = {
  frame: {
    skip: "Skip to the content",
    views: "Views",
    settings: "Settings",
    signedInAs: (name: string) => `Signed in as ${name}`,
    openGateway: "This gateway asks for no key",
    scopes: (n: string) => count(n, "scope", "scopes"),
    signOut: "Sign out",
    language: "Language",
    theme: "Theme",
    system: "System",
    light: "Light",
    dark: "Dark",
    close: "Close",
    notFound: "There is no such view.",
    nothingOffered: "This key has no scope that the console uses.",
    nothingOfferedHint: (scopes: string) => `It has: ${scopes}. The Live view needs calls:read.`,
    toLive: "Go to Live",
    failed: "This view could not be shown.",
    reload: "Load the page again",
  },
  keys: {
    title: "Keyboard",
    open: "Keyboard shortcuts",
    enabled: "Use shortcuts of one character",
    help: "Show this list",
    next: "Next row",
    previous: "Previous row",
    openRow: "Open the row",
    closeDrawer: "Close the details",
    filter: "Go to the filters",
    pause: "Pause, or go on",
    play: "Play, or pause the recording",
    seek: "Back or forward by 5 seconds in a recording",
  },
  connection: {
    label: "Connection",
    live: "Live",
    connecting: "Connecting",
    catchingUp: "Catching up",
    behind: (duration: string) => `Catching up (${duration} behind)`,
    reconnecting: (seconds: string) => `Reconnecting in ${seconds} s`,
    offline: "Offline",
    idle: "Idle",
    ended: "Stopped",
  },
  session: {
    title: "Sign in",
    lead: "The console shows what your key may see.",
    key: "API key or token",
    hint: "Kept in this tab until you close it or sign out. It never stands in an address.",
    submit: "Sign in",
    signingIn: "Signing in",
    opening: "Asking the gateway",
    missing: "Enter a key.",
    refused: "The gateway does not accept this key.",
    ended: "Your key is no longer valid. Sign in with another one.",
    limited: "There were too many attempts. Wait a minute, then try again.",
    unreachable: "The gateway does not answer.",
    retrying: (seconds: string) => `Trying again in ${seconds} s.`,
    retry: "Try now",
  },
  errors: {
    since: (time: string) => `since ${time}`,
    retry: "Try again",
    NETWORK: "The gateway cannot be reached.",
    FORBIDDEN: "Your key does not allow this.",
    RATE_LIMITED: "There were too many requests. Wait a minute.",
    QUERY_TOO_COMPLEX: "This asks for too much at once. Choose less.",
    STORE_UNAVAILABLE: "The gateway cannot use its database now.",
    UPSTREAM: "The calling service does not answer, so something is missing here.",
    DOCUMENT_NOT_TRUSTED: "This gateway runs only trusted documents, and the console's are not among them.",
    CURSOR: "This place in the log is not valid any more.",
    other: (code: string) => `This did not work (${code}). Tell the operator.`,
  },
  format: {
    none: "—",
    unknown: "unknown",
    masked: "Masked: your key lacks the scope people:read.",
    hours: "h",
    minutes: "m",
    seconds: "s",
    service: "service",
  },
  call: callTexts,
  live: liveTexts,
};

type Widened<T> = T extends string
  ? string
  : T extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { [Key in keyof T]: Widened<T[Key]> };

export type Texts = Widened<typeof en>;
