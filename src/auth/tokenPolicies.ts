// The policies of tokens: of their claim `switchboard`, and of TOKEN_POLICY_FILE by issuer and group.
import { createHash } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "../util/canonicalJson.ts";
import { FinalError } from "../util/start/finalError.ts";
import { readListFile } from "./listFile.ts";
import { policyFields, readPolicy, type CombinePolicies, type PolicyInput, type ViewerPolicy } from "./viewerPolicy.ts";
import { watchFile, type WatchedFile, type WatchedFileOptions } from "./watchedFile.ts";

const entries = z
  .array(z.strictObject({ issuer: z.string().min(1), group: z.string().min(1).optional(), ...policyFields }))
  .min(1);

type Entry = z.output<typeof entries>[number];

/** What a token says of its policy. */
export interface PolicyClaims {
  issuer: string;
  groups: readonly string[];
  own: PolicyInput;
}

export interface TokenPolicies extends AsyncDisposable {
  /** A reason, for the log: the claims cannot be read, so the token must be refused. */
  read(claims: Record<string, unknown>): PolicyClaims | { reason: string };
  /** All policies that apply now. Entries without a group apply to each token of the issuer. */
  policyOf(claims: PolicyClaims): ViewerPolicy;
  /** A text that changes with the content of the file; the same on all gateways. */
  version(): string;
  /** See Grant. */
  onChange(listener: () => void): () => void;
}

/** `file` null: tokens have the policy of their claim alone. Rejects as readListFile does. */
export async function openTokenPolicies(
  file: string | null,
  { combine, issuer, ...options }: TokenPoliciesOptions,
): Promise<TokenPolicies> {
  const variable = "TOKEN_POLICY_FILE";
  const read = (path: string) => readTokenPolicies(path, issuer);
  return createTokenPolicies(file === null ? null : await watchFile({ file, variable, read, ...options }), combine);
}

export interface TokenPoliciesOptions extends Pick<WatchedFileOptions<unknown>, "log" | "pollIntervalMs"> {
  combine: CombinePolicies;
  /** JWT_ISSUER: tokens of another issuer are refused. */
  issuer: string | undefined;
}

interface PolicyFile {
  entries: readonly Entry[];
  version: string;
}

/**
 * Throws as readListFile does, and a FinalError if an entry can never apply: its limits would hold for nobody. `issuer`: JWT_ISSUER;
 * undefined: it is missing, which is a problem of its own.
 */
export async function readTokenPolicies(file: string, issuer: string | undefined): Promise<PolicyFile> {
  const listed = await readListFile(file, entries, (entry) => {
    const { issuer, group } = entry as Partial<Entry>;
    return group === undefined ? issuer : `${issuer}, ${group}`;
  });
  const foreign = listed.findIndex((entry) => issuer !== undefined && entry.issuer !== issuer);
  if (foreign !== -1) {
    throw new FinalError(
      `cannot be used: entry ${foreign + 1}: issuer is not JWT_ISSUER, so the entry can never apply`,
    );
  }
  return { entries: listed, version: createHash("sha256").update(canonicalJson(listed)).digest("base64url") };
}

export function createTokenPolicies(file: WatchedFile<PolicyFile> | null, combine: CombinePolicies): TokenPolicies {
  return {
    read(claims) {
      const own = readPolicy(claims["switchboard"] === undefined ? {} : claims["switchboard"]);
      if ("fault" in own) return { reason: `the claim switchboard is not { limits, access }: ${own.fault}` };
      const groups = groupsOf(claims);
      // Without a file no group matters.
      if (file && !groups) return { reason: "the claim groups is not a list of texts, or is kept elsewhere" };
      return { issuer: String(claims["iss"]), groups: groups ?? [], own: own.policy };
    },
    policyOf({ issuer, groups, own }) {
      const matching = (file?.current().entries ?? []).filter(
        (entry) => entry.issuer === issuer && (entry.group === undefined || groups.includes(entry.group)),
      );
      return combine([own, ...matching]);
    },
    version: () => file?.current().version ?? "",
    onChange: (listener) => file?.onChange(listener) ?? (() => undefined),
    [Symbol.asyncDispose]: async () => file?.[Symbol.asyncDispose](),
  };
}

/**
 * Null: they cannot be read. A provider may leave out a long list and name another place for it (OpenID Connect, section 5.6.2), or
 * say only that there is one (`hasgroups`, in tokens of Microsoft Entra's implicit flow).
 */
function groupsOf({ groups, hasgroups, _claim_names: elsewhere }: Record<string, unknown>): string[] | null {
  if (typeof elsewhere === "object" && elsewhere !== null && Object.hasOwn(elsewhere, "groups")) return null;
  if (groups === undefined) return hasgroups === undefined || hasgroups === false ? [] : null;
  const list: unknown[] = Array.isArray(groups) ? groups : [groups];
  return list.every((group) => typeof group === "string") ? list : null;
}
