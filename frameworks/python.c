/* SPDX-License-Identifier: MIT */
#include "frameworks/python.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The functions of the stable ABI that are called here; Py_ssize_t is a long.
 */
typedef struct object object;
#define PYTHON_FUNCTIONS(X)                                                    \
    X(void, Py_InitializeEx, (int))                                            \
    X(void *, PyEval_SaveThread, (void))                                       \
    X(int, PyGILState_Ensure, (void))                                          \
    X(void, PyGILState_Release, (int))                                         \
    X(object *, Py_CompileString, (const char *, const char *, int))           \
    X(object *, PyImport_ExecCodeModule, (const char *, object *))             \
    X(object *, PyTuple_New, (long))                                           \
    X(int, PyTuple_SetItem, (object *, long, object *))                        \
    X(object *, PyLong_FromLongLong, (long long))                              \
    X(object *, PyObject_CallMethod,                                           \
      (object *, const char *, const char *, ...))                             \
    X(long long, PyLong_AsLongLong, (object *))                                \
    X(const char *, PyUnicode_AsUTF8AndSize, (object *, long *))               \
    X(void, PyErr_Print, (void))                                               \
    X(void, PyErr_Clear, (void))                                               \
    X(void, Py_DecRef, (object *))

static struct {
#define MEMBER(type, name, arguments) type(*name) arguments;
    PYTHON_FUNCTIONS(MEMBER)
#undef MEMBER
    object *module;
} py;

static char why[400];

__attribute__((format(printf, 1, 2))) static const char *
because(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    why[strcspn(why, "\n")] = '\0'; /* the first line of an exception */
    for (char *c = why; *c; ++c)
        if (*c < ' ' || *c > '~')
            *c = '?';
    return why;
}

/* ------------------------------------------------------------------ finding */

enum { LIBRARY, NAME, HOME, PROGRAM, PATH, PLACES };
static char place[PLACES][8192];

/* Runs the interpreter, which prints its places, one per line. The library is
 * SCANBENCH_LIBPYTHON or the interpreter's own, or else the one of that name
 * that the loader finds; the home is the place of SCANBENCH_LIBPYTHON if its
 * modules are beside it. Nothing is imported from the current folder, which may
 * be untrusted, so the path has no relative entries; an empty one means
 * that folder. */
static const char *ask(void)
{
    static const char question[] =
        "import sys; path = sys.argv[1].split(\":\") + sys.path;"
        "sys.path = [p for p in path if p[:1] == \"/\"];"
        "import os, sysconfig as s;"
        "own = os.environ.get(\"SCANBENCH_LIBPYTHON\", \"\");"
        "name = \"python%d.%d\" % sys.version_info[:2];"
        "library = own or \"lib%s.so.1.0\" % name;"
        "folder = s.get_config_var(\"LIBDIR\") or \"/\";"
        "home = os.path.dirname(own) + \"/..\";"
        "there = os.path.isfile(\"%s/lib/%s/os.py\" % (home, name));"
        "print(os.path.join(folder, library), library,"
        "      home if \"/\" in own and there else sys.base_prefix, "
        "sys.executable,"
        "      \":\".join(sys.path), sep=\"\\n\");"
        "assert sys.version_info >= (3, 10)";
    const char *named = getenv("SCANBENCH_PYTHON");
    char command[2048];
    snprintf(command, sizeof command,
             "PYTHONPATH= \"%s\" -c '%s' \"$PYTHONPATH\"",
             named && *named ? named : "python3", question);
    FILE *answer = popen(command, "r");
    bool ok = answer;
    for (int k = 0; k < PLACES && ok; ++k) {
        ok = fgets(place[k], sizeof place[k], answer);
        place[k][strcspn(place[k], "\n")] = '\0';
    }
    ok = answer && pclose(answer) == 0 && ok;
    return ok ? NULL
              : because("no Python 3.10 or newer runs by the name %s: "
                        "name one by SCANBENCH_PYTHON",
                        named && *named ? named : "python3");
}

/* ------------------------------------------------------------------ calling */

static const char *run_module(const char *text)
{
    enum { FILE_INPUT = 257 };
    const char *line_end = strchr(text, '\n');
    char module[64], file[sizeof module + 2];
    snprintf(module, sizeof module, "%.*s", (int)(line_end - text), text);
    snprintf(file, sizeof file, "<%s>", module);
    object *code = py.Py_CompileString(line_end + 1, file, FILE_INPUT);
    py.module = code ? py.PyImport_ExecCodeModule(module, code) : NULL;
    py.Py_DecRef(code);
    if (!py.module)
        py.PyErr_Print();
    return py.module ? NULL : because("this Python cannot run %s", file);
}

static const char *start(const char *const *texts)
{
    setenv("PYTHONSAFEPATH", "1", 1); /* for child processes, too */
    const char *failed = ask();
    if (failed)
        return failed;
    /* Extension modules need its symbols, hence RTLD_GLOBAL. */
    void *library = dlopen(place[LIBRARY], RTLD_NOW | RTLD_GLOBAL);
    if (!library && !(library = dlopen(place[NAME], RTLD_NOW | RTLD_GLOBAL)))
        return because("no libpython: %s is missing: install libpython3, or "
                       "name it by SCANBENCH_LIBPYTHON",
                       place[NAME]);
#define FIND(type, name, arguments)                                            \
    *(void **)&py.name = dlsym(library, #name);                                \
    if (!py.name)                                                              \
        return because("this Python has no %s", #name);
    PYTHON_FUNCTIONS(FIND)
#undef FIND
    setenv("PYTHONHOME", place[HOME], 1);
    setenv("PYTHONPATH", place[PATH], 1);
    setenv("SCANBENCH_EXECUTABLE", place[PROGRAM], 1);
    /* In the thread's C locale, Python would read names as ASCII. */
    int *utf8_mode = dlsym(library, "Py_UTF8Mode");
    if (utf8_mode)
        *utf8_mode = 1;
    py.Py_InitializeEx(0);
    failed = run_module(*texts);
    while (!failed && *++texts)
        python_call("load", *texts, NULL, 0, &failed);
    py.PyEval_SaveThread(); /* threads of frameworks may run meanwhile */
    return failed;
}

const char *python_start(const char *const *texts)
{
    static bool started;
    static char failed[sizeof why];
    if (!started) {
        const char *said = start(texts);
        snprintf(failed, sizeof failed, "%s", said ? said : "");
        started = true;
    }
    return *failed ? failed : NULL;
}

int64_t python_call(const char *function, const char *name,
                    const int64_t *numbers, int count, const char **text)
{
    const int lock = py.PyGILState_Ensure();
    object *tuple = py.PyTuple_New(count);
    for (int k = 0; tuple && k < count; ++k)
        py.PyTuple_SetItem(tuple, k, py.PyLong_FromLongLong(numbers[k]));
    object *answer =
        py.PyObject_CallMethod(py.module, "call", "ssN", function, name, tuple);
    int64_t number = 0;
    *text = NULL;
    if (!answer) {
        py.PyErr_Print();
        *text = because("an exception that has no text");
    } else if ((number = py.PyLong_AsLongLong(answer)) == -1) {
        py.PyErr_Clear(); /* a text, None or -1 */
        const char *words = py.PyUnicode_AsUTF8AndSize(answer, NULL);
        *text = words ? because("%s", words) : NULL;
        py.PyErr_Clear();
        number = 0;
    }
    py.Py_DecRef(answer);
    py.PyGILState_Release(lock);
    return number;
}
