// The tasks, with the details of one beside them, or the form for a new one.
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { View } from "../../frame/View.tsx";
import { useTexts } from "../../locale/Locale.tsx";
import { CsvButton } from "../../ui/CsvButton.tsx";
import { Drawer } from "../../ui/drawer/Drawer.tsx";
import { ExportBar } from "../../ui/export/ExportBar.tsx";
import { useExport } from "../../ui/export/useExport.ts";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { TaskDetails } from "./details/TaskDetails.tsx";
import { TaskList } from "./list/TaskList.tsx";
import { useTasksExport } from "./list/useTasksExport.ts";
import { SentTasks } from "./sent/SentTasks.tsx";
import { texts } from "./texts/texts.ts";
import { useTaskRights } from "./useTaskRights.ts";
import styles from "./tasks.module.css";

const CreateTask = lazyPart(() => import("./create/CreateTask.tsx"), "CreateTask");
const WaitingProposals = lazyPart(() => import("./proposals/WaitingProposals.tsx"), "WaitingProposals");
const SubmissionDetails = lazyPart(() => import("./sent/SubmissionDetails.tsx"), "SubmissionDetails");

export function TasksView() {
  const t = useTexts(texts);
  const { submits, approves, seesSubmissions, reads } = useTaskRights();
  const { task, submission, create } = useSearch({ from: "/tasks" });
  const navigate = useNavigate();
  const exporting = useExport();
  const exportOf = useTasksExport();
  if (create && submits) return <CreateTask />;
  return (
    <View
      title={t.title}
      actions={
        <>
          {reads && <CsvButton disabled={exporting.isBusy} onClick={() => exporting.start(exportOf())} />}
          {submits && (
            <Link to="/tasks" search={{ create: "1" }} className={styles["create"]}>
              <Plus size={14} aria-hidden="true" />
              {submits === "proposes" ? t.propose : t.create}
            </Link>
          )}
        </>
      }
    >
      <ExportBar exporting={exporting} />
      {approves && <WaitingProposals opened={submission ?? null} isAlone={!reads} />}
      {reads ? <TaskList openTask={task ?? null} /> : submits && <SentTasks known={0} isAlone />}
      <Drawer
        title={t.task}
        closeLabel={t.close}
        kind="task"
        shown={task ?? submission ?? null}
        onClose={() => void navigate({ to: "/tasks", search: {} })}
      >
        {(id) =>
          task === id ? <TaskDetails key={id} taskId={id} /> : seesSubmissions && <SubmissionDetails key={id} id={id} />
        }
      </Drawer>
    </View>
  );
}
