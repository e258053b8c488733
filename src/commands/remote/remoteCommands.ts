// The commands that ask a running gateway. Each loads only the modules it needs.
import { command, flag, settings, text, type Command } from "../command.ts";

export const URL_USAGE =
  "    --url URL           the gateway's address (default: http://127.0.0.1:$PORT); the key is in SWITCHBOARD_KEY";

export const remoteCommands: Record<string, Command> = {
  events: command(
    `  events                print the log of a running gateway, as JSON lines
    --after CURSOR      start after this entry (default: at the oldest entry)
    --follow            keep printing new entries
${URL_USAGE}`,
    { after: text, follow: flag, url: text },
    async (values) => (await import("./eventsCommand.ts")).eventsCommand(values, settings().env),
  ),
  "events show": command(
    `  events show CURSOR    print an entry of the log, and the webhook that brought it, as it came
${URL_USAGE}`,
    { url: text },
    async ({ url }, [cursor = ""]) =>
      (await import("./rawDeliveryCommands.ts")).showCommand(cursor, url, settings().env),
    ["CURSOR"],
  ),
  "events reread": command(
    `  events reread         read accepted webhooks again; a call that changes gets a revision
    --after CURSOR      start after this entry (default: at the oldest webhook that is kept)
${URL_USAGE}`,
    { after: text, url: text },
    async (values) => (await import("./rawDeliveryCommands.ts")).rereadCommand(values, settings().env),
  ),
  import: command(
    `  import                have a running gateway read earlier calls from the service's list, and show how far it is
    --since DAY         from when on, such as 2026-10-01 by the service's clock, or an instant (default: show the newest import)
    --until DAY         before which day (default: up to where the gateway finds calls by itself)
    --cancel            end the import that runs; what it has added stays
${URL_USAGE}`,
    { since: text, until: text, cancel: flag, url: text },
    async (values) => (await import("./importCommand.ts")).importCommand(values, settings().env),
  ),
  tasks: command(
    `  tasks                 print the tasks that a running gateway knows, as JSON lines, the last active first
${URL_USAGE}`,
    { url: text },
    async (values) => (await import("./taskCommands.ts")).tasksCommand(values, settings().env),
  ),
  submissions: command(
    `  submissions           print the tasks that were submitted through it, as JSON lines, the newest first
${URL_USAGE}`,
    { url: text },
    async (values) => (await import("./taskCommands.ts")).submissionsCommand(values, settings().env),
  ),
  approve: command(
    `  approve ID            send a proposed task, which makes phone calls; ID is that of its submission
${URL_USAGE}`,
    { url: text },
    async (values, [id = ""]) => (await import("./taskCommands.ts")).approveCommand(id, values, settings().env),
    ["ID"],
  ),
  decline: command(
    `  decline ID            decline a proposed task, of which nothing is sent
    --reason TEXT       for the viewer that proposed it
${URL_USAGE}`,
    { url: text, reason: text },
    async (values, [id = ""]) => (await import("./taskCommands.ts")).declineCommand(id, values, settings().env),
    ["ID"],
  ),
  forget: command(
    `  forget NUMBER         erase the calls of a phone number for good; with - it is read from standard input
    --never-call        add it to the never-call list, too
    --dry-run           erase nothing, and count what would go
${URL_USAGE}`,
    { url: text, "never-call": flag, "dry-run": flag },
    async ({ url, "never-call": neverCall, "dry-run": dryRun }, [number = ""]) =>
      (await import("./forgetCommand.ts")).forgetCommand({ number, neverCall, dryRun, url }, settings().env),
    ["NUMBER"],
  ),
  audit: command(
    `  audit                 print the audit log of a running gateway, as JSON lines, the newest entry first
    --actor NAME        only what this viewer did
    --action ACTION     only one action, such as PHONE_FORGOTTEN
    --since, --until    only entries from, and before, a day by the service's clock (2026-10-01) or an instant
${URL_USAGE}`,
    { url: text, actor: text, action: text, since: text, until: text },
    async (values) => (await import("./auditCommand.ts")).auditCommand(values, settings().env),
  ),
  mcp: command(
    `  mcp                   let a local program use the tools for agents of a running gateway, over standard input and output
${URL_USAGE}`,
    { url: text },
    async ({ url }) => (await import("./mcpCommand.ts")).mcpCommand(url, settings().env),
  ),
  projections: command(
    `  projections           print the tables that a running gateway derives from its log, as JSON lines, and how far each has read
${URL_USAGE}`,
    { url: text },
    async (values) => (await import("./projectionCommands.ts")).projectionsCommand(values, settings().env),
  ),
  "projections rebuild": command(
    `  projections rebuild NAME
                        make one anew from the log, such as recipients; the present rows are shown meanwhile
${URL_USAGE}`,
    { url: text },
    async (values, [name = ""]) =>
      (await import("./projectionCommands.ts")).rebuildCommand(name, values, settings().env),
    ["NAME"],
  ),
  destinations: command(
    `  destinations          print the systems to which a running gateway sends ended calls and alerts, as JSON lines
${URL_USAGE}`,
    { url: text },
    async (values) => (await import("./destinationCommands.ts")).destinationsCommand(values, settings().env),
  ),
  "destinations test": command(
    `  destinations test NAME
                        send a test message; the exit code is 1 unless it is taken
${URL_USAGE}`,
    { url: text },
    async (values, [name = ""]) => (await import("./destinationCommands.ts")).testCommand(name, values, settings().env),
    ["NAME"],
  ),
  "destinations pause": command(
    `  destinations pause NAME
                        send nothing; its events wait in the log, and its alerts, too
${URL_USAGE}`,
    { url: text },
    async (values, [name = ""]) =>
      (await import("./destinationCommands.ts")).changeCommand("pause", name, values, settings().env),
    ["NAME"],
  ),
  "destinations resume": command(
    `  destinations resume NAME
                        go on with one that was paused or disabled
    --after CURSOR      send everything after this entry again (default: go on where it is)
    --since TIME        send again what the gateway received since then: 2026-11-20, or 2026-11-20T09:00:00Z
${URL_USAGE}`,
    { url: text, after: text, since: text },
    async (values, [name = ""]) =>
      (await import("./destinationCommands.ts")).changeCommand("resume", name, values, settings().env),
    ["NAME"],
  ),
  quarantine: command(
    `  quarantine            print the deliveries that a running gateway could not read, as JSON lines
    --reprocess ID|all  read them again; the exit code is 1 if one still cannot be read
      --charset NAME    the charset of their bodies, such as gbk, where the service declares none or another one
    --discard ID|all    remove them for good, unread; the exit code is 1 if one is not in quarantine
    --not-ended         those that are not the end of a call, in place of those that could not be read
${URL_USAGE}`,
    { reprocess: text, charset: text, discard: text, "not-ended": flag, url: text },
    async (values) => (await import("./quarantineCommand.ts")).quarantineCommand(values, settings().env),
  ),
  "do-not-call": command(
    `  do-not-call import FILE
                        add the numbers in the first column of a file to the never-call list of a running gateway
  do-not-call remove FILE
                        remove them; of both the exit code is 1 if a line has no phone number
      --column COLUMN   the column of the numbers: its head, or its place from 1
      --separator SEP   the sign between the cells: , ; | tab or none
${URL_USAGE}`,
    { url: text, column: text, separator: text },
    async (values, [action, file]) =>
      (await import("./doNotCallCommand.ts")).doNotCallCommand({ action, file, ...values }, settings().env),
    ["import or remove", "FILE"],
  ),
};
