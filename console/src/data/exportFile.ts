// The file that an export writes. Where the browser lets a user choose the place, each page goes straight to the disk.
// Elsewhere each page becomes a Blob, which the browser may keep on its disk, and the download begins at the end.

export interface ExportFile {
  name: string;
  write(text: string): Promise<void>;
  /** Only now is the file there. */
  save(): Promise<void>;
  discard(): Promise<void>;
}

interface FilePicker {
  showSaveFilePicker?: (options: {
    suggestedName: string;
    types: { accept: Record<string, string[]> }[];
  }) => Promise<FileSystemFileHandle & { remove?: () => Promise<void> }>;
}

/** Null: the user chose no place. */
export async function openExportFile(name: string, type: string): Promise<ExportFile | null> {
  const { showSaveFilePicker } = globalThis as FilePicker;
  if (!showSaveFilePicker) return blobFile(name, type);
  const ending = `.${name.split(".").at(-1)}`;
  try {
    const handle = await showSaveFilePicker({ suggestedName: name, types: [{ accept: { [type]: [ending] } }] });
    const stream = await handle.createWritable();
    return {
      name: handle.name,
      write: (text) => stream.write(text),
      save: () => stream.close(),
      async discard() {
        await stream.abort();
        // The picker made an empty file. A browser that cannot remove it leaves it there.
        await handle.remove?.().catch(() => undefined);
      },
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return null;
    throw error;
  }
}

function blobFile(name: string, type: string): ExportFile {
  let parts: Blob[] = [];
  return {
    name,
    async write(text) {
      parts.push(new Blob([text]));
    },
    async save() {
      const url = URL.createObjectURL(new Blob(parts, { type }));
      parts = [];
      const link = document.createElement("a");
      link.href = url;
      link.download = name;
      link.click();
      // The download has begun by then.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
    async discard() {
      parts = [];
    },
  };
}
