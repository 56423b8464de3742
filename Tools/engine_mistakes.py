"""Mistakes in JavaScript/indexeddb.js, by the file of tests that has to find them in one browser:
Tests/browser/test_….py. See mistakes.py."""

ENGINE = "JavaScript/indexeddb.js"

FAULTS = {
    "that a database cannot be opened is not told": [
        (ENGINE, "      request.onerror = () => reject(request.error);\n", ""),
    ],
    "a database that could not be opened once never is": [
        (ENGINE, "      opening = null;\n      throw error;\n", "      throw error;\n"),
    ],
    "a database that was closed is not opened again": [
        (ENGINE, 'if (isAgain || error?.["name"] !== "InvalidStateError") throw error;', "throw error;"),
    ],
    "a database that another tab upgrades or deletes is kept open": [
        (ENGINE, "result.onversionchange = result.onclose = () => {", "result.onclose = () => {"),
    ],
    "what is no record is taken for one": [(ENGINE, "Number.isSafeInteger(value?.revision) && (", "(true || ")],
}

LEAVING = {
    "a page that is left keeps its channel": [(ENGINE, "    channel?.close();\n", "")],
    "a page that returns does not ask what has changed": [
        (ENGINE, "    }).then(hear, (error) => miss?.(error));\n", "    });\n"),
    ],
    "a page that returns hears of nothing any more": [
        (ENGINE, "    if (channel) return;\n    meet();\n", "    if (channel) return;\n"),
    ],
}

WAITING = {
    "a transaction that is aborted is waited for": [
        (ENGINE, '          reject(begun.error ?? { name: "AbortError" });\n', ""),
    ],
    "a page that is left keeps its transaction open": [
        (ENGINE, "    abortAll();\n    // Others", "    // Others"),
    ],
    "a page that is left begins another transaction": [
        (ENGINE, '        if (!channel) throw { name: "AbortError" }; // the page is left\n', ""),
    ],
    "a database that does not answer is waited for": [
        (ENGINE, '        reject({ message: "It does not answer." });\n', ""),
    ],
    "a transaction is aborted twice": [
        (ENGINE, "      open.delete(each); // a second time, it would throw\n", ""),
    ],
}

COMMITTING = {
    "what was put too early stays": [
        (ENGINE, "result ? values.put(result, keys[at]) : values.delete(keys[at])", "void result"),
    ],
    "what was put too early is all that is put": [
        (ENGINE, "if (early && !isOther) return give(early);", "if (early) return give(early);"),
    ],
    "a lost answer is not asked for": [
        (ENGINE, "const applied = Math.max(after, step);", "const applied = after;"),
    ],
    "what is stored is stored again": [
        (ENGINE, "          if (applied >= through) return give({ stored: found, applied });\n", ""),
    ],
    "a commit is not made again on what others have stored": [
        (ENGINE, "          const isOther = applied > after || entries.some(differs);\n",
         "          const isOther = applied > after;\n"),
    ],
    "two commits of one millisecond have one revision": [
        (ENGINE, "last = Math.max(last + 1, Date.now());", "last = Date.now();"),
    ],
    "a record forgets who has committed last": [(ENGINE, "steps.slice(0, 64)", "steps.slice(-64)")],
    "a record has only its last client": [
        (ENGINE, "{ [client]: through, ...before, [client]: through }", "{ [client]: through }"),
    ],
}

TELLING = {
    "nobody hears of what is stored while a page is left": [(ENGINE, "    if (ending) channel", "    if (!channel) channel")],
    "a page that returns tells what is old": [(ENGINE, "untold = new Set(); // others", "untold ??= new Set(); // others")],
    "a page that is left tells of what it has told": [(ENGINE, "            ending = null; // no", "            // no")],
    "a message that is none is heard": [
        (ENGINE, "all.filter((each) => isRecord(each) && isText(each.key))", "all.filter((each) => each)"),
    ],
    "other tabs are not told": [
        (ENGINE, "            if (!untold) channel.postMessage(result.stored);\n", ""),
    ],
    "a tab that comes later is not told what was stored before": [
        (ENGINE, "          untold?.add(each.key);\n", ""),
    ],
    "a tab that comes later is not answered": [(ENGINE, "if (!data || untold) {", "if (data && untold) {")],
    "a tab that comes later is taken for none": [(ENGINE, "      untold = null;\n      const", "      const")],
}

ALL = {
    "engines": WAITING | COMMITTING | TELLING,
    "tally": LEAVING,
    "tally_faults": FAULTS,
}
