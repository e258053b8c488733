// The tasks, with the details of one beside them, or the form for a new one.
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense } from "react";
import { View } from "../../frame/View.tsx";
import { useTexts } from "../../locale/Locale.tsx";
import { useSession } from "../../session/SessionProvider.tsx";
import { Drawer } from "../../ui/drawer/Drawer.tsx";
import { TaskDetails } from "./details/TaskDetails.tsx";
import { TaskList } from "./list/TaskList.tsx";
import { texts } from "./texts/texts.ts";
import styles from "./tasks.module.css";

const CreateTask = lazy(() => import("./create/CreateTask.tsx"));
const SubmissionDetails = lazy(() => import("./sent/SubmissionDetails.tsx"));

export function TasksView() {
  const t = useTexts(texts);
  const { holds } = useSession();
  const { task, submission, create } = useSearch({ from: "/tasks" });
  const navigate = useNavigate();
  const mayCreate = holds("tasks:create");
  if (create && mayCreate) {
    return (
      <Suspense>
        <CreateTask />
      </Suspense>
    );
  }
  return (
    <View
      title={t.title}
      actions={
        mayCreate && (
          <Link to="/tasks" search={{ create: "1" }} className={styles["create"]}>
            <Plus size={14} aria-hidden="true" />
            {t.create}
          </Link>
        )
      }
    >
      <TaskList openTask={task ?? null} />
      <Drawer
        title={t.task}
        closeLabel={t.close}
        shown={task ?? submission ?? null}
        onClose={() => void navigate({ to: "/tasks", search: {} })}
      >
        {(id) =>
          task === id ? (
            <TaskDetails key={id} taskId={id} />
          ) : (
            <Suspense>{mayCreate && <SubmissionDetails key={id} id={id} />}</Suspense>
          )
        }
      </Drawer>
    </View>
  );
}
