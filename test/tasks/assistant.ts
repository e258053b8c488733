import type { AssistantRecord } from "../../src/upstream/upstream.ts";

export function assistant(own: Partial<AssistantRecord> = {}): AssistantRecord {
  return {
    assistantId: "1",
    versionId: "10",
    name: "Ada",
    projectId: null,
    scene: null,
    speakerId: null,
    listenerId: null,
    websocketUrl: null,
    welcome: "Hello",
    prompt: "Be kind.",
    knowledge: null,
    collect: [],
    createdAt: null,
    updatedAt: null,
    creatorId: null,
    creatorEmail: null,
    deletedAt: null,
    isOldVersion: false,
    usageCount: 1,
    ...own,
  };
}
