const rows = (n: string): string => (n === "1" ? "1 row" : `${n} rows`);

export const en = {
  starting: "Reading the first page",
  written: (n: string) => `${rows(n)} written`,
  writtenOf: (n: string, total: string) => `${n} of ${rows(total)} written`,
  cancel: "Cancel export",
  cancelled: "The export was cancelled. No file was written.",
  notStarted: "The export could not begin.",
  stopped: (n: string) => `The export stopped after ${rows(n)}.`,
  stoppedOf: (n: string, total: string) => `The export stopped after ${n} of ${rows(total)}.`,
  notWritten: "The file could not be written. Look for room on the disk, then export again.",
  goOn: "Go on from there",
  keepRows: (n: string) => `Keep the ${rows(n)}`,
  discard: "Discard",
  saved: (n: string, file: string) => `${rows(n)} exported to ${file}.`,
  savedPart: "The file is not complete.",
  savedPartOf: (total: string) => `The file is not complete: the list has ${rows(total)}.`,
  savedDrifted:
    "The list changed while it was read: rows may be missing or there twice. Export again for a clean file.",
  savedOther: (total: string) => `The list had ${rows(total)} at the end. Export again to get the same list.`,
};
