// Puts one question to a gateway and judges the answer.
import { judgeCallLog } from "./calls.ts";
import { judgeEvents, judgeStats } from "./events.ts";
import { emptyVerdict, type Verdict } from "./judge.ts";
import { judgeList, judgeOneTask, judgeTasksByIds, listReader, taskReader } from "./lists.ts";
import type { Question } from "./questions.ts";
import type { TestBed } from "./stand.ts";

export async function judgeQuestion(question: Question, standing: TestBed): Promise<Verdict & { shown: unknown }> {
  const verdict = emptyVerdict();
  const shown = await put(question, standing, verdict);
  return { ...verdict, shown };
}

function put(question: Question, standing: TestBed, verdict: Verdict): Promise<object> {
  const { gateway, world } = standing;
  if (question.ask === "callLogs") {
    const { first, filter, jump, joined } = question;
    const read = listReader(gateway, joined);
    const list = {
      read: (many: number, after: string | null) => read(filter, many, after),
      first,
      jump,
      filter,
      joined,
    };
    return judgeList(list, standing, verdict);
  }
  if (question.ask === "taskCallLogs") {
    const { taskId, first, filter, jump } = question;
    const task = world.tasks.find(({ id }) => id === taskId);
    return judgeList({ read: taskReader(gateway, taskId, filter), first, jump, filter, task }, standing, verdict);
  }
  if (question.ask === "tasksByIds") return judgeTasksByIds(question, standing, verdict);
  if (question.ask === "task") return judgeOneTask(question.taskId, standing, verdict);
  if (question.ask === "callLog") return judgeCallLog(question, standing, verdict);
  if (question.ask === "callStats") return judgeStats(question, standing, verdict);
  return judgeEvents(question, standing, verdict);
}
