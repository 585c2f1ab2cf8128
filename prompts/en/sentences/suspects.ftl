### What makes a line of a request suspicious.

sign = { $sign ->
    [names-the-asker] names the asker
    [is-about-the-asker] is about the asker
    [fits-its-reason] fits its reason
    [an-earlier-silence] an earlier silence
    [speaks-of-silence] speaks of silence
    [says-how-others-are-treated] says how others are treated
    [new-since-the-last-reply] new since the last reply
   *[by-a-non-admin] by a non-admin
}
